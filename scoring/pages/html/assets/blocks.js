// A page of blocks: its theme, timelines of turns, and tables to sort.

startTheme();
showTurns();
sortTables();
document.documentElement.dataset.ready = "";
