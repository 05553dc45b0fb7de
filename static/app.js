// Progressive enhancement only: every page works without this file.
(() => {
  "use strict";
  const live = () => document.getElementById("live");

  // --- keys: j k / ? and the letters on buttons, g and a letter to go somewhere ---------------
  const typing = (e) =>
    e.target.closest("input:not([type=checkbox],[type=radio]),textarea,select,[contenteditable]") ||
    e.ctrlKey || e.metaKey || e.altKey || e.isComposing;
  const items = () => [...document.querySelectorAll("[data-item]")];
  const current = () => document.activeElement?.closest("[data-item]");
  const step = (by) => {
    const all = items();
    if (!all.length) return;
    const at = all.indexOf(current());
    all[Math.max(0, Math.min(all.length - 1, at + by))].focus();
  };
  const press = (e, selector, within) => {
    const found = within.querySelector(selector);
    if (found) { e.preventDefault(); found.click(); }
  };
  // Without a row that is chosen, a letter means the only button it could: never the first of many.
  const act = (e, selector) => {
    if (current() || document.querySelectorAll(selector).length === 1) press(e, selector, current() || document);
  };
  let going = false;
  document.addEventListener("keydown", (e) => {
    if (document.body.dataset.keys === "off" || typing(e) || document.querySelector("dialog[open]")) return;
    const key = e.key.toLowerCase();
    if (going) {
      going = false;
      if (/^[a-z]$/.test(key)) press(e, `[data-go="${key}"]`, document);
      return;
    }
    switch (e.key) {
      case "g": going = true; setTimeout(() => { going = false; }, 1500); break;
      case "j": step(1); break;
      case "k": step(-1); break;
      case "Enter": if (document.activeElement === current()) press(e, ".txt a", current()); break;
      case "/": { const q = document.getElementById("q"); if (q) { e.preventDefault(); q.focus(); q.select(); } break; }
      case "?": document.getElementById("keys")?.showModal(); break;
      case "u": press(e, '[data-key="z"]', document.querySelector('[data-key="z"]')?.closest("li") ?? document); break;
      default: if (/^[a-z#]$/.test(key)) act(e, `[data-key="${key}"]`);
    }
  });
  document.addEventListener("keydown", (e) => {
    const form = e.target.closest("form");
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && e.target.matches("textarea") && form) {
      e.preventDefault();
      form.requestSubmit();
    }
  });

  document.addEventListener("keydown", (e) => {
    const field = e.target.closest("input,textarea,select");
    if (e.key !== "Escape" || e.isComposing || !field || document.querySelector("dialog[open]")) return;
    if (field.type === "search") e.preventDefault(); // the browser would empty it, and the list with it
    (field.closest("[data-item]") ?? document.getElementById("main")).focus();
  });

  // --- boxes: with shift, all between this one and the last one ticked --------------------------------
  let ticked = null;
  document.addEventListener("click", (e) => {
    const box = e.target.closest?.("[name=ids]");
    if (!box) return;
    const all = [...document.querySelectorAll("[name=ids]")];
    const [from, to] = [all.indexOf(ticked), all.indexOf(box)].sort((a, b) => a - b);
    if (e.shiftKey && from >= 0) for (const one of all.slice(from, to + 1)) one.checked = box.checked;
    ticked = box;
  });

  // --- after a swap: focus what the server marked, else the row that took the place of the one
  // --- that had it, and say once what happened ---------------------------------------------------
  let place = -1;
  document.addEventListener("htmx:before:swap", () => { place = items().indexOf(current()); });
  document.addEventListener("htmx:after:swap", () => {
    const focus = document.querySelector("[data-focus]");
    if (focus) { focus.removeAttribute("data-focus"); focus.focus({ preventScroll: false }); }
    else if (place >= 0 && !current()) items()[Math.min(place, items().length - 1)]?.focus();
    const say = document.querySelector("[data-say]");
    if (say) { live().textContent = say.dataset.say; say.removeAttribute("data-say"); }
  });
  const banner = document.getElementById("neterr");
  const failed = () => {
    live().textContent = document.body.dataset.neterr;
    banner.hidden = false;
  };
  document.addEventListener("htmx:after:swap", () => { banner.hidden = true; });
  document.addEventListener("htmx:error", failed);
  document.addEventListener("htmx:response:error", (e) => {
    if (e.detail.ctx.response.status >= 500) failed();
  });

  // --- copying: the button is shown where there is something to copy with ------------------------
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  document.addEventListener("click", async (e) => {
    const button = e.target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    live().textContent = button.dataset.copied;
    button.firstChild.textContent = button.dataset.copied;
  });

  // --- on load --------------------------------------------------------------------------------
  document.querySelector("[autofocus],[data-focus]")?.focus();
  document.querySelector('.nav [aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  // The server shows times in the browser's zone from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && /^[A-Za-z0-9_+/-]+$/.test(zone)) {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `tz=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  }
  // htmx starts in a timer of its own; this one is queued behind it, so tests can wait for it.
  setTimeout(() => { document.documentElement.dataset.ready = "1"; });
})();
