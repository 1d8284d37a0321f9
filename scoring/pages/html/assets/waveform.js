// The waveform of linked audio. The browser reads and decodes the file; nothing else is loaded.

const DECODED_RATE = 8000; // samples a second: an hour takes 115 MB while it is decoded
const SAMPLES_PER_PEAK = 80;
const MOST_ENCODED = 300_000_000; // bytes
const WAVE = { width: 420, height: 48 };
const peaksByAddress = new Map();

// The loudest sample of every hundredth of a second.
async function readPeaks(address) {
  if (location.protocol === "file:") {
    throw new Error("a page opened as a file must not read recordings; open it through a web server");
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  if (Number(response.headers.get("content-length")) > MOST_ENCODED) {
    throw new Error(`the recording is larger than ${MOST_ENCODED / 1_000_000} MB`);
  }
  const decoder = new OfflineAudioContext(1, 1, DECODED_RATE);
  const audio = await decoder.decodeAudioData(await response.arrayBuffer());
  const peaks = new Float32Array(Math.ceil(audio.length / SAMPLES_PER_PEAK));
  for (let channel = 0; channel < audio.numberOfChannels; channel++) {
    audio.getChannelData(channel).forEach((sample, at) => {
      const peak = Math.floor(at / SAMPLES_PER_PEAK);
      peaks[peak] = Math.max(peaks[peak], Math.abs(sample));
    });
  }
  return peaks;
}

// A drawing of a part of a recording, in seconds, or one line that says why there is none.
function waveformOf(address, [begin = 0, end = Infinity]) {
  const box = element("div", { class: "waveform quiet" }, "Decoding the recording …");
  if (!peaksByAddress.has(address)) peaksByAddress.set(address, readPeaks(address));
  const rate = DECODED_RATE / SAMPLES_PER_PEAK;
  peaksByAddress.get(address).then(
    (peaks) => box.replaceChildren(drawnPeaks(peaks.subarray(Math.floor(begin * rate), Math.ceil(end * rate)))),
    (problem) => {
      peaksByAddress.delete(address);
      box.textContent = `No waveform: ${problem.message}.`;
    },
  );
  return box;
}

function drawnPeaks(peaks) {
  const columns = Math.min(peaks.length, WAVE.width);
  const loudest = peaks.reduce((most, peak) => Math.max(most, peak), 1e-6);
  const lines = [];
  for (let at = 0; at < columns; at++) {
    const part = peaks.subarray(Math.floor((at * peaks.length) / columns), Math.ceil(((at + 1) * peaks.length) / columns));
    const tall = (WAVE.height * part.reduce((most, peak) => Math.max(most, peak), 0)) / loudest;
    lines.push(`M${((at + 0.5) * WAVE.width) / columns} ${(WAVE.height - tall) / 2}v${Math.max(1, tall)}`);
  }
  const { width, height } = WAVE;
  return drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Waveform of the utterance" },
    drawn("path", { d: lines.join("") }));
}
