// Light and dark: as the reader chose, else as the notebook around it says, else as the system has it.

export type Theme = "light" | "dark";

const KEY = "tumble-theme";

export class ThemeSwitch {
  readonly #changed: (theme: Theme) => void;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  #chosen = remembered();
  #around: Theme | null = null;

  constructor(changed: (theme: Theme) => void) {
    this.#changed = changed;
    this.#dark.addEventListener("change", () => this.#apply());
    addEventListener("message", ({ source, data }: MessageEvent) => {
      const said: unknown = (data as { tumbleTheme?: unknown } | null)?.tumbleTheme;
      if (source !== window.parent || (said !== "light" && said !== "dark")) return;
      this.#around = said;
      this.#apply();
    });
    this.#apply();
  }

  get theme(): Theme {
    return this.#chosen ?? this.#around ?? (this.#dark.matches ? "dark" : "light");
  }

  toggle(): void {
    this.#chosen = this.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.#chosen);
    } catch {
      // A page from a file may have no memory; the choice holds until it is closed.
    }
    this.#apply();
  }

  #apply(): void {
    document.documentElement.dataset["theme"] = this.theme;
    this.#changed(this.theme);
  }
}

function remembered(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null;
  }
}
