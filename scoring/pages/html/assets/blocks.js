// A page of blocks: its theme, and timelines of turns.

startTheme();
showTurns();
document.documentElement.dataset.ready = "";
