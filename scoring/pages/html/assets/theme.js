// The theme of a page: that of the system, light or dark.

const THEMES = ["auto", "light", "dark"];

function remembered() {
  try {
    return localStorage.getItem("sclite-kit-theme");
  } catch {
    return null; // storage may be forbidden for files
  }
}

function startTheme() {
  const button = document.getElementById("theme");
  let theme = THEMES.includes(remembered()) ? remembered() : "auto";
  const show = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.querySelector("span").textContent = theme;
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      localStorage.setItem("sclite-kit-theme", theme);
    } catch {
      // not remembered, then
    }
    show();
  });
  button.hidden = false;
  show();
}
