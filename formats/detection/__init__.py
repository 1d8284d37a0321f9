"""The list of formats, with lookup by name and file name.

The list is explicit, so that it documents all formats. The module of a format is loaded when the
format is used. `formats.reading.detect_source` chooses the format of an opened input.
"""

from __future__ import annotations

import os

from formats.detection.spec import FormatSpec, ListedFormat, Sniff
from formats.schema import cache, is_installed, is_ours, module_named
from formats.schema.errors import FormatError, close_names, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from formats.detection.head import Head
    from formats.io.source import Source
    from formats.schema.plugins import Door, Plugin, PluginError

__all__ = ["all_formats", "by_name", "by_suffix", "names"]


SIGNS_OF_TURNS = (
    ': [ ( > * _ 0 ： （ # peaker PEAKER - – — @ \t | = // → ○ ◯ ◎ ● ◆ \u3000 【 「 “ " '
    "\n\n ␣␣ \nQ \nM"
)
SIGNS_OF_TABLES = ', ; | \t "\n"'
# fmt: off
FORMATS = (
    ListedFormat("trn", "text", "formats.nist.trn", (".trn",), signs=")"),
    ListedFormat("txt", "text", "formats.nist.txt",
        (".txt", ".md", ".text", ".transcript"), (".lab",)),
    ListedFormat("txt-lines", "text", "formats.nist.txt:LINES_SPEC"),
    ListedFormat("stm", "text", "formats.nist.stm", (".stm",), signs="␣0"),
    ListedFormat("ctm", "text", "formats.nist.ctm", (".ctm",), signs="␣0"),
    ListedFormat("rttm", "text", "formats.nist.rttm", (".rttm",), (".csv",), signs="< , ␣0"),
    ListedFormat("uem", "text", "formats.nist.uem", (".uem",), signs="␣0"),
    ListedFormat("kaldi", "text", "formats.kaldi.text", ("/text", "/text.filt", ".tra"),
        (".trans.txt",), signs="0"),
    ListedFormat("kaldi-segments", "text", "formats.kaldi.segments", ("/segments",), signs="␣0"),
    ListedFormat(
        "textgrid", "text", "formats.annotation.textgrid", (".textgrid",), keeps_bytes=True,
        signs="ooTextFile ooBinaryFile chronological"),
    ListedFormat("eaf", "xml", "formats.annotation.eaf", (".eaf",),
        sure="ANNOTATION_DOCUMENT"),
    ListedFormat("elan-tab", "text", "formats.annotation.elan_tab", (), (".txt", ".tsv", ".csv"),
        signs="\t"),
    ListedFormat("trs", "xml", "formats.annotation.trs", (".trs",),
        sure="Trans"),
    ListedFormat("chat", "text", "formats.annotation.chat", (".cha",), signs="@"),
    ListedFormat("chat-xml", "xml", "formats.annotation.chat_xml", (), (".xml",),
        sure="CHAT"),
    ListedFormat("callhome", "text", "formats.annotation.callhome", (), (".txt",), signs="␣0"),
    ListedFormat("audacity", "text", "formats.annotation.audacity", (), (".txt",), signs="␣0"),
    ListedFormat(
        "aeneas", "text", "formats.annotation.aeneas",
        (".smil",), (".json", ".csv", ".tsv", ".xml", ".txt"), signs="< fragments , ␣0"),
    ListedFormat("exb", "xml", "formats.annotation.exmaralda", (".exb",), (".xml",),
        sure="basic-transcription"),
    ListedFormat("tei", "xml", "formats.annotation.tei", (".tei",), (".xml",),
        sure="TEI teiCorpus"),
    ListedFormat("folker", "xml", "formats.annotation.tei:FOLKER_SPEC", (".flk", ".fln"),
        sure="folker-transcription"),
    ListedFormat("flextext", "xml", "formats.annotation.flextext", (".flextext",), (".xml",),
        sure="interlinear-text document+<interlinear-text"),
    ListedFormat("readalong", "xml", "formats.annotation.readalong", (".readalong",), (".xml",),
        sure="read-along"),
    ListedFormat("its", "xml", "formats.annotation.lena", (".its",), (".xml",),
        sure="ITS"),
    ListedFormat("nxt", "xml", "formats.annotation.nxt", (".words.xml",), (".xml",),
        sure="root+http://nite.sourceforge.net/ stream+http://nite.sourceforge.net/"),
    ListedFormat("mrt", "xml", "formats.annotation.nxt:MRT_SPEC", (".mrt",),
        sure="Meeting+<Transcript Meeting+<Participant"),
    ListedFormat("mgb", "xml", "formats.annotation.mgb", (), (".xml",),
        sure="transcript+WMER=+<element"),
    ListedFormat("bliss", "xml", "formats.annotation.bliss", (".corpus",), (".xml",),
        sure="corpus+<recording+audio= corpus+<speaker-description corpus+<include+file="),
    ListedFormat("xml", "xml", "formats.annotation.any_xml", (), (".xml",)),
    ListedFormat("partitur", "text", "formats.annotation.partitur", (".par",), signs="LHD: LBD:"),
    ListedFormat("mfa", "text", "formats.annotation.mfa", (), (".csv", ".json"), signs=", entries"),
    ListedFormat("mrk", "text", "formats.annotation.switchboard:MRK_SPEC", (".mrk",), signs="* ␣0"),
    ListedFormat(
        "isip", "text", "formats.annotation.switchboard:ISIP_SPEC", (), (".text", ".txt"),
        signs="␣0"),
    ListedFormat("tdf", "text", "formats.annotation.tdf", (".tdf",), (".txt",), signs="unicode"),
    ListedFormat("esps", "text", "formats.annotation.esps", (), (".word", ".words"), signs="#"),
    ListedFormat("salt", "text", "formats.annotation.salt", (".slt",), signs="$"),
    ListedFormat(
        "conllu", "text", "formats.annotation.conllu",
        (".conllu",), (".tsv", ".csv", ".txt", ".conll"), signs="\t"),
    ListedFormat(
        "toolbox", "text", "formats.annotation.toolbox", (".sfm",), (".txt",), signs="\\ref \\id"),
    ListedFormat("htk", "text", "formats.annotation.htk", (".lab", ".rec"), signs="0"),
    ListedFormat("mlf", "text", "formats.annotation.mlf", (".mlf",), signs="#!MLF"),
    ListedFormat("timit", "text", "formats.annotation.timit", (".wrd", ".phn"), signs="␣0"),
    ListedFormat(
        "dialogue-acts", "text", "formats.annotation.line_patterns:DIALOGUE_ACTS.spec",
        (), (".txt",), signs="|"),
    ListedFormat(
        "nxt-query", "text", "formats.annotation.line_patterns:NXT_QUERY.spec", (), (".txt",),
        signs="Found Observation: who"),
    ListedFormat(
        "sphinx-hyp", "text", "formats.annotation.line_patterns:SPHINX_HYP.spec",
        (), (".match", ".hyp"), signs="("),
    ListedFormat(
        "speech-activity", "text", "formats.annotation.line_patterns:ACTIVITY.spec",
        (), (".txt",), signs="␣0"),
    ListedFormat(
        "speaker-labels", "text", "formats.annotation.line_patterns:SPEAKER_LABELS.spec",
        (), (".label", ".txt"), signs="␣0"),
    ListedFormat("ynop", "text", "formats.annotation.line_patterns:YNOP.spec", (), (".txt",),
        signs="␣0"),
    ListedFormat(
        "ina-segments", "text", "formats.annotation.line_patterns:SEGMENTER.spec",
        (), (".csv", ".tsv"), signs="labels"),
    ListedFormat("moss", "text", "formats.annotation.moss", (), (".txt",), signs="[S"),
    ListedFormat("srt", "text", "formats.subtitles.srt", (".srt",), signs=">"),
    ListedFormat("vtt", "text", "formats.subtitles.vtt", (".vtt", ".webvtt"), keeps_bytes=True,
        signs="WEBVTT >"),
    ListedFormat("ass", "text", "formats.subtitles.ass", (".ass", ".ssa"), signs="[ Dialogue:"),
    ListedFormat("microdvd", "text", "formats.subtitles.microdvd", (".sub",), signs="{"),
    ListedFormat("sbv", "text", "formats.subtitles.subviewer:SBV_SPEC", (".sbv",), signs=":"),
    ListedFormat("subviewer", "text", "formats.subtitles.subviewer", (), (".sub",), signs="[ *"),
    ListedFormat(
        "mpl2", "text", "formats.subtitles.microdvd:MPL2_SPEC", (".mpl",), (".txt", ".sub"),
        signs="["),
    ListedFormat("tmp", "text", "formats.subtitles.tmp", (), (".tmp", ".txt"), signs=":"),
    ListedFormat("lrc", "text", "formats.subtitles.lrc", (".lrc",), signs="["),
    ListedFormat("qrc", "text", "formats.subtitles.qrc", (".qrc", ".krc", ".yrc"), (".xml",),
        signs="["),
    ListedFormat("ultrastar", "text", "formats.subtitles.ultrastar", (), (".txt",), signs="#"),
    ListedFormat("scc", "text", "formats.subtitles.scc", (".scc",), signs="Scenarist :"),
    ListedFormat("mcc", "text", "formats.subtitles.mcc", (".mcc",), signs="MacCaption"),
    ListedFormat("stl", "text", "formats.subtitles.stl", (".stl",), keeps_bytes=True, signs="STL"),
    ListedFormat("spruce", "text", "formats.subtitles.spruce", (), (".stl",), signs=":"),
    ListedFormat("lambda-cap", "text", "formats.subtitles.lambda_cap", (), (".cap",),
        signs="Lambda"),
    ListedFormat("sami", "xml", "formats.subtitles.sami", (".smi", ".sami")),
    ListedFormat("ttml", "xml", "formats.subtitles.ttml", (".ttml", ".dfxp"), (".xml", ".itt"),
        sure="tt"),
    ListedFormat(
        "json3", "json", "formats.subtitles.youtube:JSON3_SPEC", (".json3",), (".json",),
        sure="events[].tStartMs"),
    ListedFormat(
        "srv", "xml", "formats.subtitles.youtube:SRV_SPEC",
        (".srv1", ".srv2", ".srv3", ".ytt"), (".xml",),
        sure="timedtext transcript_list transcript+<text+start="),
    ListedFormat("usf", "xml", "formats.subtitles.usf:USF_SPEC", (".usf",), (".xml",),
        sure="USFSubtitles"),
    ListedFormat("ttxt", "xml", "formats.subtitles.usf:TTXT_SPEC", (".ttxt",), (".xml",),
        sure="TextStream"),
    ListedFormat("rtf", "text", "formats.meetings.rtf", (".rtf",), keeps_bytes=True,
        signs="{\\rtf"),
    ListedFormat("docx", "text", "formats.meetings.docx", (".docx",), keeps_bytes=True, signs="PK"),
    ListedFormat(
        "podcast-html", "xml", "formats.meetings.podcast_html", (), (".html", ".htm"),
        sure="cite+<p time+<p"),
    ListedFormat("html", "xml", "formats.meetings.web_page", (), (".html", ".htm", ".xhtml")),
    ListedFormat("speaker-text", "text", "formats.meetings.speaker_text", (), (".txt", ".md"),
        signs=SIGNS_OF_TURNS),
    ListedFormat(
        "markdown", "text", "formats.meetings.speaker_text:MARKDOWN_SPEC", (), (".md", ".txt"),
        signs=SIGNS_OF_TURNS),
    ListedFormat("bbc-kaldi", "json", "formats.json.bbc_kaldi", (), (".json",),
        sure="$.words[].word+punct $.punct+words[].word $.retval.words[].word+punct "
        "$.retval.punct+words[].word",
        possible="$.punct+text $.retval.punct+text"),
    ListedFormat("vosk", "json", "formats.json.vosk", (), (".json", ".jsonl"),
        sure="result[].word+conf result[].word+start+end {alternatives[]}.text "
        "{partial+partial_result?}",
        possible="$.{text=*}"),
    ListedFormat(
        "kaldi-gstreamer", "json", "formats.json.kaldi_gstreamer", (), (".json", ".jsonl"),
        sure="status+result.hypotheses status=#+hypotheses[] status+nbest "
        "status+type=server_ready"),
    ListedFormat(
        "offline-transcriber", "json", "formats.json.offline_transcriber", (), (".json",),
        sure="$.sections[].turns[].transcript/unnormalized_transcript/words "
        "$.best_hypothesis/result.sections[].turns $.result.best_hypothesis.sections[].turns",
        possible="$.sections[].type $.best_hypothesis/result.sections[].type",
        excluded="$.sections[].turns[].text_blocks"),
    ListedFormat("whisper", "json", "formats.json.whisper", (), (".json",),
        sure="$.segments[].text+start+avg_logprob/no_speech_prob/compression_ratio/seek "
        "[].text+start+end+avg_logprob/no_speech_prob/compression_ratio/seek "
        "$.segments[].text+start=#+words[].word+probability "
        "[].text+start=#+words[].word+probability "
        "$.language=*+segments[].{start+end?+text+id?+speaker?+confidence?} "
        "$.task=transcribe|translate+segments[].{start+end?+text+id?+speaker?+confidence?} "
        "$.text=*+words[].{word+start?+end?+probability?} "
        "$.text=*+language+task=transcribe|translate "
        "$.text=*+language+segments[]= $.{text=*+segments[]=}",
        possible="$.{text=*+language+duration?+task?+words?+model?+usage?} "
        "$.text=*+segments[].text $.text=*+segments[]=",
        excluded="$.segments[].start=*:* $.segments[].words[].w+s+e "
        "$.segments[].{text+start=#+end=##+id?+speaker?+confidence?} "
        "$.model=voxtral* $.model+file+processing_s/duration_s $.word_segments[] "
        "$.segments[].start+text+words[].score [].start+text+words[].score "
        "$.segments[].speaker.label/name $.segments[].results[] $.recording=*+text+words"),
    ListedFormat("whisperx", "json", "formats.json.whisper:X_SPEC", (), (".json",),
        sure="$.word_segments[] $.segments[].start+text+words[].score "
        "[].start+text+words[].score"),
    ListedFormat(
        "whispercpp", "json", "formats.json.whispercpp", (), (".json",), keeps_bytes=True,
        sure="$.transcription[].offsets/timestamps+text $.systeminfo+transcription[]",
        possible="$.transcription[].{text+speaker?+tokens?} $.transcription[]="),
    ListedFormat("whisper-hf", "json", "formats.json.whisper_hf", (), (".json",),
        sure="chunks[].timestamp+text {text+chunks[]=}"),
    ListedFormat("gentle", "json", "formats.json.gentle", (), (".json",),
        sure="$.words[].alignedWord/startOffset",
        possible="{transcript+words[]=}"),
    ListedFormat("deepspeech", "json", "formats.json.deepspeech", (), (".json", ".jsonl"),
        sure="transcripts[].words[].start_time transcripts[].words[]="),
    ListedFormat("pocketsphinx", "json", "formats.json.pocketsphinx", (), (".json", ".jsonl"),
        sure="{b+d+t+p?+w?}"),
    ListedFormat("matchseg", "text", "formats.json.pocketsphinx:MATCHSEG_SPEC", (".matchseg",),
        signs="S"),
    ListedFormat("autoedit", "json", "formats.json.providers:AUTOEDIT.spec", (), (".json",),
        sure="$.text[].paragraph[].line [].paragraph[].line"),
    ListedFormat(
        "digital-paper-edit", "json", "formats.json.providers:PAPER_EDIT.spec", (), (".json",),
        sure="$.paragraphs[]+words[].text+start $.transcript.paragraphs[]+words[].text+start "
        "[].paragraphs[]+words[].text+start"),
    ListedFormat("transcribee", "json", "formats.json.providers:TRANSCRIBEE.spec", (), (".json",),
        sure="$.children[].type=paragraph"),
    ListedFormat("gladia", "json", "formats.json.providers:GLADIA.spec", (), (".json",),
        sure="$.result.transcription.utterances[].text+words $.result.transcription.utterances[]= "
        "$.status+request_id+kind"),
    ListedFormat("podcast", "json", "formats.json.providers:PODCAST.spec", (), (".json",),
        sure="$.segments[].{startTime+body+endTime?+speaker?+startTimeFormatted?+endTimeFormatted?}"),
    ListedFormat("elevenlabs", "json", "formats.json.providers:ELEVENLABS.spec", (), (".json",),
        sure="$.words[].text+type=word|spacing|audio_event "
        "$.transcripts[].words[].text+type=word|spacing|audio_event "
        "$.language_code+language_probability+text+words[]= $.{detail}.status+message"),
    ListedFormat("amberscript", "json", "formats.json.providers:AMBERSCRIPT.spec", (), (".json",),
        sure="$.segments[]+speakers[].spkid"),
    ListedFormat("soniox", "json", "formats.json.providers:SONIOX.spec", (), (".json",),
        sure="$.tokens[].text+start_ms $.tokens[]+error_code/final_audio_proc_ms "
        "$.status_code+error_type+message"),
    ListedFormat("symbl", "json", "formats.json.providers:SYMBL.spec", (), (".json",),
        sure="$.messages[].text+from+conversationId"),
    ListedFormat("voxtral", "json", "formats.json.providers:VOXTRAL.spec", (), (".json",),
        sure="$.model=voxtral*+segments[]"),
    ListedFormat("funasr", "json", "formats.json.providers:FUNASR.spec", (), (".json",),
        sure="key+sentence_info[] {key+text+timestamp[]} $.model+file+processing_s/duration_s"),
    ListedFormat("funasr-chat", "json", "formats.json.chat_lines", (), (".jsonl", ".json"),
        sure="messages[].content=*startofspeech*"),
    ListedFormat("vibevoice", "json", "formats.json.providers:VIBEVOICE.spec", (), (".json",),
        sure="[].Start+End+Content $.raw_text+generation_time+segments[]"),
    ListedFormat("notsofar", "json", "formats.json.providers:NOTSOFAR.spec", (), (".json",),
        sure="[].speaker_id+start_time+word_timing[]"),
    ListedFormat("pyannote-json", "json", "formats.json.providers:PYANNOTE.spec", (), (".json",),
        sure="$.output.diarization[].speaker+start $.diarization[].speaker+start "
        "$.jobId+status+createdAt",
        excluded="$.segments[].text $.utterances[].text"),
    ListedFormat("aws-call", "json", "formats.json.providers:AWS_CALL.spec", (), (".json",),
        sure="$.ConversationAnalytics+SpeechSegments[]"),
    ListedFormat("jams", "json", "formats.json.jams", (".jams",), (".json",),
        sure="$.annotations[].namespace+data"),
    ListedFormat(
        "simuleval", "json", "formats.json.simuleval", (), (".log", ".jsonl"),
        sure="prediction+delays[] prediction+emission_cu[] prediction+docid+segid"),
    ListedFormat("stream-events", "json", "formats.json.streaming", (), (".json", ".jsonl"),
        sure="time+final/is_final+text/words time+type=partial|interim|final+text/words"),
    ListedFormat("openbench", "json", "formats.json.streaming:OPENBENCH_SPEC", (), (".json",),
        sure="$.interim_results+audio_cursor $.confirmed_interim_results+confirmed_audio_cursor"),
    ListedFormat("aws", "json", "formats.json.aws", (), (".json", ".jsonl"),
        sure="results.transcripts[] results.items[].type+alternatives "
        "TranscriptEvent/UtteranceEvent/JobStatus/TranscriptionJob/CallAnalyticsJob "
        "jobName+accountId/status/results Transcript.Results[] "
        "Transcript[].BeginOffsetMillis $.audio_items[]+audio_segments[]",
        possible="Transcript[].ParticipantId/Content/Id"),
    ListedFormat("google", "json", "formats.json.google", (), (".json", ".jsonl"),
        sure="done+metadata/error "
        "response?.results[].alternatives+resultEndTime/result_end_time "
        "response?.results[].alternatives+resultEndOffset/result_end_offset "
        "response?.results[].alternatives+languageCode/language_code/channelTag/channel_tag "
        "response?.results[].alternatives+isFinal/is_final/stability "
        "response?.results[].alternatives[].words[].startTime/start_time/startOffset "
        "Results[].Alternatives[].Words[].StartTime Results[].Alternatives[].Transcript+Confidence "
        "response?.results[].alternatives[].words[].start_offset/endTime/endOffset "
        "response?.results.*:*.transcript/inlineResult/inline_result/cloudStorageResult/uri",
        possible="response?.results[].alternatives[].transcript "
        "[].alternatives[].transcript+confidence",
        excluded="response?.results[].final/type/start_time "
        "response?.results[].alternatives[].timestamps/content"),
    ListedFormat("azure", "json", "formats.json.azure", (), (".json", ".jsonl"),
        sure="recognizedPhrases/combinedRecognizedPhrases/AudioFileResults/combinedPhrases "
        "RecognitionStatus Text+Offset+Duration phrases[].offsetMilliseconds"),
    ListedFormat("deepgram", "json", "formats.json.deepgram", (), (".json", ".jsonl"),
        sure="results.channels[] channel.alternatives type=Results+channel_index "
        "err_code err_msg type=Metadata|SpeechStarted|UtteranceEnd "
        "metadata.request_id+channels"),
    ListedFormat("assemblyai", "json", "formats.json.assemblyai", (), (".json", ".jsonl"),
        sure="message_type=FinalTranscript|PartialTranscript|SessionBegins "
        "end_of_turn+type=Turn "
        "audio_duration/status/acoustic_model/audio_url+words/utterances[].text+start=#+end=# "
        "language_model/utterances+words/utterances[].text+start=#+end=# "
        "sentences/paragraphs[].text+start=#+end=# status+audio_duration/audio_url",
        possible="words[].text+start=#+end=#"),
    ListedFormat("speechmatics", "json", "formats.json.speechmatics", (), (".json", ".jsonl"),
        sure="message=RecognitionStarted|AddTranscript|AddPartialTranscript|EndOfTranscript "
        "message=AudioAdded|StartRecognition words[].name+time+duration "
        "format=2*+results[].type+alternatives format=2*+results[]= "
        "format=2*+metadata+job",
        possible="results[].type+alternatives"),
    ListedFormat("revai", "json", "formats.json.revai", (), (".json", ".jsonl"),
        sure="monologues[]= monologues[].elements/terms schemaVersion+monologues[] "
        "monologues[].speaker+start+text type=partial|final+elements[] "
        "id+type=connected",
        excluded="monologues[].start=#+end=##+text"),
    ListedFormat("watson", "json", "formats.json.watson", (), (".json", ".jsonl"),
        sure="result_index+results[]= results[].result_index+results "
        "results[].alternatives+final result_index+results[].alternatives "
        "results[].alternatives[].timestamps[]",
        possible="speaker_labels[] state=listening"),
    ListedFormat("otranscribe", "json", "formats.json.otranscribe", (".otr",),
        sure="media/media-time+text=*<* media/media-time+text="),
    ListedFormat("label-studio", "json", "formats.json.label_studio", (), (".json",),
        sure="annotations/completions/predictions[]+data.audio/sound/wav/mp3/url/video "
        "annotations/completions/predictions[]+data.*=*?wav|*?mp3|*?flac|*?ogg|*?opus|*?m4a|*?aac|*?webm|*?mp4",
        possible="annotations/completions/predictions[]+data",
        excluded="data.dialogue/dialog/messages/conversation/turns/utterances[]"),
    ListedFormat("threeplay", "json", "formats.json.threeplay", (), (".json",),
        sure="{words[]+paragraphs[]+speakers}"),
    ListedFormat("capcut", "json", "formats.json.capcut", (), (".json",),
        sure="$.materials+tracks[].segments[].target_timerange"),
    ListedFormat("via", "json", "formats.json.via", (), (".json",),
        sure="$.attribute+metadata+view"),
    ListedFormat("emu", "json", "formats.annotation.emu", (), (".json",),
        sure="$.annotates+sampleRate $.annotation.annotates+sampleRate"),
    ListedFormat(
        "lhotse", "json", "formats.json.lhotse",
        (".supervisions.jsonl",), (".jsonl", ".json", ".yaml", ".yml"), may_be_yaml=True,
        sure="recording_id+start+duration "
        "type=MonoCut|MultiCut|MixedCut|PaddingCut|Cut+supervisions/tracks",
        excluded="audio_filepath"),
    ListedFormat(
        "nemo", "json", "formats.json.nemo",
        (".manifest", ".manifest.json", ".manifest.jsonl"), (".jsonl", ".json"),
        sure="audio_filepath+duration/text/pred_text/offset/label "
        "audio_file/audio_filename+duration",
        excluded="$.*[].text+start $.segments[]= [].segments[] $.*[].speaker $.*.segments[] "
        "$.*.*.segments[]"),
    ListedFormat("commonvoice", "text", "formats.manifests.commonvoice", (), (".tsv",), signs="\t"),
    ListedFormat("librispeech", "text", "formats.manifests.librispeech", signs="0"),
    ListedFormat("ljspeech", "text", "formats.manifests.ljspeech", (), (".csv", ".txt"), signs="|"),
    ListedFormat("must-c", "text", "formats.manifests.mustc", (), (".yaml",), signs="duration"),
    ListedFormat(
        "wenet", "json", "formats.json.wenet", ("/data.list",), (".list", ".jsonl", ".json"),
        sure="key+txt+wav/feat"),
    ListedFormat("speechbrain", "json", "formats.json.speechbrain", (), (".json",),
        sure="$.**.wav/path/file_path/audio+wrd/words/transcript/trans/text/label=*"),
    ListedFormat("chime", "json", "formats.json.seglst:CHIME_SPEC", (), (".json",),
        sure="session_id+words+speaker+start_time=*:*:* "
        "session_id+words+speaker+start_time.*"),
    ListedFormat("seglst", "json", "formats.json.seglst", (".seglst.json",), (".json", ".jsonl"),
        sure="session_id+words=*",
        excluded="session_id+words+start_time=*:*:* session_id+words+start_time.*"),
    ListedFormat("jsonl", "json", "formats.json.json_lines", (".jsonl",), (".json",),
        sure="recording=*+text key+source=*+target=*", asks_reader=True),
    ListedFormat(
        "json", "json", "formats.json.any_list",
        (), (".json", ".jsonl", ".yaml", ".yml"), may_be_yaml=True),
    ListedFormat("nlp", "text", "formats.manifests.nlp", (".nlp",), signs="token"),
    ListedFormat("csv", "text", "formats.tables.delimited:CSV_SPEC", (".csv",), (".md",),
        signs=SIGNS_OF_TABLES),
    ListedFormat("tsv", "text", "formats.tables.delimited:TSV_SPEC", (".tsv",),
        signs=SIGNS_OF_TABLES),
    ListedFormat(
        "xlsx", "text", "formats.tables.workbook", (".xlsx", ".xlsm"), keeps_bytes=True,
        signs="PK"),
    ListedFormat(
        "parquet", "text", "formats.tables.arrow:PARQUET_SPEC",
        (".parquet", ".pq"), keeps_bytes=True, signs="PAR1"),
    ListedFormat(
        "arrow", "text", "formats.tables.arrow:ARROW_SPEC",
        (".arrow", ".feather"), keeps_bytes=True, signs="ARROW1 ÿÿÿÿ"),
    ListedFormat("ecf", "xml", "formats.keywords.ecf", (".ecf.xml", ".ecf"), (".xml",),
        sure="ecf"),
    ListedFormat(
        "kwlist", "xml", "formats.keywords.kwlist", (".kwlist.xml", ".kwlist"), (".xml",),
        sure="kwlist"),
    ListedFormat(
        "kwslist", "xml", "formats.keywords.kwslist", (".kwslist.xml", ".kwslist"), (".xml",),
        sure="kwslist"),
)
# fmt: on
_OURS = {listed.name: listed for listed in FORMATS}


TABLES = ("csv", "tsv")
DESCRIBED_FORMATS = "formats.reading.described_formats"
"""The module that reads descriptions of formats in TOML."""
CAPTIONS = "formats.subtitles."
"""Home of formats whose times say when a text is shown."""
SERVICES = frozenset(
    (
        *("bbc-kaldi", "vosk", "kaldi-gstreamer", "offline-transcriber", "whisper", "whisperx"),
        *("whispercpp", "whisper-hf", "deepspeech", "autoedit", "digital-paper-edit", "gladia"),
        *("podcast", "podcast-html", "elevenlabs", "amberscript", "soniox", "symbl", "voxtral"),
        *("funasr", "vibevoice", "aws-call", "stream-events", "openbench", "aws", "google"),
        *("azure", "deepgram", "assemblyai", "speechmatics", "revai", "watson", "threeplay"),
        *("capcut",),
    )
)
"""Formats whose segments are as long as a service makes them."""
LAYOUTS = frozenset(("speaker-text", "markdown"))
"""Formats that are known by the layout of their lines alone."""


@cache
def plugin_door() -> Door:
    """Return the object that finds formats which other packages declare as entry points.

    Plug-ins are searched only if no format of this package has the name or the suffix.
    """
    from formats.schema.plugins import Door

    return Door("format", lambda: list(_OURS))


def listed_formats() -> tuple[ListedFormat, ...]:
    """Return all known formats: the installed formats of this package, then plug-ins."""
    return (*_installed_formats(), *plugin_door().loaded(_row_of))


@cache
def _installed_formats() -> tuple[ListedFormat, ...]:
    families = {".".join(listed.home.split(".")[:2]) for listed in FORMATS}
    removed = {family for family in families if not is_installed(family)}
    return tuple(
        listed for listed in FORMATS if ".".join(listed.home.split(".")[:2]) not in removed
    )


@cache
def _row_of(plugin: Plugin) -> ListedFormat:
    from formats.schema.plugins import OTHER_NAME

    listed = plugin.load(ListedFormat)
    if listed.name != plugin.name:
        raise plugin.error(OTHER_NAME, found=listed.name)
    return listed


def plugin_problems() -> list[PluginError]:
    """Return the errors of plug-in formats that cannot be used."""
    return plugin_door().problems(lambda plugin: load_spec(_row_of(plugin)))


def names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return tuple(listed.name for listed in listed_formats())


def are_borders_rough(name: str | None) -> bool:
    """Return True if the times of a format are imprecise, as in captions and speech services.

    Words near such a time may lie before or after it.

    >>> are_borders_rough("srt"), are_borders_rough("aws"), are_borders_rough("stm")
    (True, True, False)
    """
    return has_captions(name) or name in SERVICES


def has_captions(name: str | None) -> bool:
    """Return True if a format is one of subtitles.

    >>> has_captions("srt"), has_captions("aws"), has_captions("stm")
    (True, False, False)
    """
    listed = _OURS.get(name or "")
    return listed is not None and listed.home.startswith(CAPTIONS)


def all_formats() -> tuple[FormatSpec, ...]:
    """Load and return all formats that can be loaded, in the order of the list."""
    return tuple(spec for spec in map(loaded_spec, listed_formats()) if spec is not None)


def loaded_spec(listed: ListedFormat) -> FormatSpec | None:
    """Load and return a format; `None` if its module is broken or not installed."""
    try:
        return load_spec(listed)
    except ModuleNotFoundError as problem:
        if not is_ours(problem.name):
            raise
    except FormatError:  # of a plug-in
        pass
    return None


@cache
def load_spec(listed: ListedFormat) -> FormatSpec:
    module, _, name = listed.home.partition(":")
    try:
        spec: FormatSpec = module_named(module)
        for part in (name or "SPEC").split("."):
            spec = getattr(spec, part)
    except Exception as problem:
        plugin = None if listed in FORMATS else plugin_door().find(listed.name)
        if plugin is None:
            raise
        raise plugin.failure(problem) from problem
    return spec._replace(
        name=listed.name,
        shape=listed.shape,
        suffixes=listed.suffixes,
        sniff=lambda head: _sniff(listed, spec.sniff, head),
    )


def _sniff(listed: ListedFormat, ask: Callable[[Head], Sniff], head: Head) -> Sniff:
    """Return how certain it is that a text is in a format.

    The reader is asked only if the detection rules do not match.
    """
    if listed.has_rules:
        from formats.detection.rules import sniff_listed

        answer = sniff_listed(listed, head)
        if answer > Sniff.NO:
            return answer
    if listed.name not in head.reader_answers:
        head.reader_answers[listed.name] = ask(head)
    return head.reader_answers[listed.name]


def is_sure(listed: ListedFormat, head: Head, *, needs_sign: bool = True) -> bool:
    if listed.sure and not listed.asks_reader:
        from formats.detection.rules import sniff_listed

        return sniff_listed(listed, head) is Sniff.SURE
    return ask_reader(listed, head, needs_sign=needs_sign) is Sniff.SURE


def by_name(name: str) -> FormatSpec:
    """Return the format with this name in any case; raise `UnknownFormatError` if none has it.

    ``@FILE`` and a TOML text mean the format that the file or text describes.
    """
    if name.startswith("@") or "=" in name:
        described: FormatSpec = module_named(DESCRIBED_FORMATS).load_description(name)
        return described
    listed = _OURS.get(name.lower())
    if listed is not None:
        return load_spec(listed)
    plugin = plugin_door().find(name.lower())
    if plugin is not None:
        return load_spec(_row_of(plugin))
    near = close_names(name, names())
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    from formats.detection.errors import UnknownFormatError

    raise UnknownFormatError(
        f"expected the name of a format (`formats list` shows all), found {quoted(name)}{meant}",
        candidates=near or names(),
    )


def by_suffix(path: str) -> FormatSpec | None:
    """Return the format of a path's suffix, or `None`; a final ``.gz`` is ignored."""
    listed = named_by(path)
    return None if listed is None else load_spec(listed)


def named_by(path: str) -> ListedFormat | None:
    """Return the registry entry whose suffix matches the path; the longest suffix wins."""
    name = "/" + os.path.basename(path).lower().removesuffix(".gz")
    return _longest(name, FORMATS) or _longest(name, plugin_door().loaded(_row_of))


def _longest(name: str, formats: Iterable[ListedFormat]) -> ListedFormat | None:
    """Return the format with the longest suffix that matches the end of a name."""
    best: tuple[int, ListedFormat | None] = (0, None)
    for listed in formats:
        for suffix in listed.suffixes:
            fits = name == suffix if suffix[0] == "/" else name.endswith(suffix)
            if fits and len(suffix) > best[0]:
                best = len(suffix), listed
    return best[1]


def sharing_suffix(path: str) -> tuple[str, ...]:
    """Return the names of the formats that share the suffix of a path.

    The result is empty if only one format has this suffix.
    """
    name = os.path.basename(path).lower().removesuffix(".gz")
    return tuple(listed.name for listed in listed_formats() if name.endswith(listed.shared))


def seen_head(source: Source) -> Head:
    """Return what detection sees of a file."""
    from formats.detection.head import Head, is_yaml_name

    return Head(
        source.head_lines(),
        source.stem,
        source.signature,
        source.archive_parts(),
        is_yaml_file=is_yaml_name(source.name),
    )


def ask_reader(listed: ListedFormat, head: Head, *, needs_sign: bool = True) -> Sniff:
    """Return how certain a format's reader is that a text is in the format.

    The result is `NO` if the text lacks the format's signs or if the module cannot be loaded.
    """
    is_asked = listed.name in head.reader_answers or not needs_sign or head.has_sign(listed.signs)
    if not is_asked:
        return Sniff.NO
    spec = loaded_spec(listed)
    return Sniff.NO if spec is None else spec.sniff(head)
