// The browser's part: it puts the regions that the server sends where they belong, and tells what was done.
"use strict";

let socket = null;
let link = location.hash.slice(1);
let hovered = "";
let wait = 300;

const by = (id) => document.getElementById(id);

function tell(wish) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(wish));
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/ws`);
  socket.onopen = () => {
    wait = 300;
    by("lost").hidden = true;
    tell({ do: "hello", link });
  };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => {
    by("lost").hidden = false;
    document.body.dataset.live = "";
    setTimeout(connect, wait);
    wait = Math.min(wait * 1.5, 3000);
  };
}

function receive(message) {
  if (message.put) {
    for (const [id, html] of Object.entries(message.put)) put(id, html);
    document.body.dataset.live = "yes";
  }
  if (message.link !== undefined) {
    link = message.link;
    history.replaceState(null, "", "#" + link);
  }
  if (message.say) say(message.say);
  if (message.full) wait = 3000;
  if (message.file) download(message.file);
}

// While a button is held down nothing is replaced under it: there would be no click on what is gone at its release.
let pressed = false;
const late = new Map();

function put(id, html) {
  if (pressed) {
    late.delete(id); // the order matters: a region comes before those inside it
    late.set(id, html);
    return;
  }
  const region = by(id);
  if (!region) return;
  const active = document.activeElement;
  const kept = region.contains(active) && active !== region ? keyOf(active) : "";
  region.innerHTML = html;
  if (kept) { // a cell that is none any more leaves the focus to its board
    const again = region.querySelector(kept) || region.closest(".boardbox");
    if (again) again.focus({ preventScroll: true });
  }
  const way = [...region.querySelectorAll(":scope > .growth .node.on")].map((node) => node.getBoundingClientRect());
  if (way.length) { // a tree that is wider than the screen is shown where something happens: the whole way, or its end
    const [box, first, last] = [region.getBoundingClientRect(), way[0], way[way.length - 1]];
    const from = Math.abs(first.x - last.x) < box.width - 2 * last.width ? first : last;
    region.scrollLeft += (from.x + last.x + last.width) / 2 - box.x - box.width / 2;
  }
}

// How to find an element again after its region was replaced.
function keyOf(element) {
  const data = [...element.attributes].filter((a) => a.name.startsWith("data-") || a.name === "name");
  return data.map((a) => `[${a.name}="${CSS.escape(a.value)}"]`).join("");
}

function release() {
  if (!pressed) return;
  setTimeout(() => { // after the click
    pressed = false;
    for (const [id, html] of late) put(id, html);
    late.clear();
  });
}

document.addEventListener("pointerdown", (event) => {
  pressed = event.button === 0 && event.target.closest("[data-do]") !== null;
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, release);
addEventListener("blur", release);

let silence = 0;
function say(text) {
  const box = by("said");
  box.textContent = text;
  box.classList.add("on");
  clearTimeout(silence);
  silence = setTimeout(() => box.classList.remove("on"), 6000);
}

function download(file) {
  const address = URL.createObjectURL(new Blob([file.text], { type: file.type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = file.name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function fields(id) {
  const found = {};
  for (const field of by(id).querySelectorAll("input[name], select[name]")) found[field.name] = field.value;
  return found;
}

document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-do], [data-copy]");
  if (!element || element.disabled) return;
  if (element.dataset.copy) {
    const text = `${location.origin}/#${link}`;
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say("The link is copied."), () => say(text));
    else say(text);
    return;
  }
  if (event.pointerType === "touch" && element.matches("tr")) return; // a finger on a row only shows the variation
  const { do: wish, form, ...rest } = element.dataset;
  tell({ ...rest, ...(form ? fields(form) : {}), do: wish });
  if (wish === "new") {
    const box = element.closest("details.card");
    if (box) box.open = false;
    scrollTo({ top: 0, behavior: "smooth" });
  }
});

document.addEventListener("change", (event) => {
  const element = event.target;
  if (element.dataset.change) tell({ do: element.dataset.change, value: element.value });
  if (element.dataset.upload && element.files.length) {
    const file = element.files[0];
    if (file.size > 900000) say("That file is too large; 900 kB are allowed.");
    else file.text().then((text) => tell({ do: element.dataset.upload, text }));
    element.value = "";
  }
});

for (const kind of ["mouseover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const element = event.target.closest("[data-hover]");
    const move = element ? element.dataset.hover : "";
    if (move !== hovered) {
      hovered = move;
      tell({ do: "hover", move });
    }
  });
}

// Keyboard: the arrows go through the game, or over the board once a cell has the focus.
const KEYS = {
  ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last", u: "undo", r: "redo", a: "analyse",
};

// Where one was on the board, as a part of its width and height: there one goes on when the other side has moved.
let cursor = null;

function centre(cell) {
  const [box, all] = [cell.getBoundingClientRect(), cell.ownerSVGElement.getBoundingClientRect()];
  return [(box.x + box.width / 2 - all.x) / all.width, (box.y + box.height / 2 - all.y) / all.width];
}

function nearest([left, top], dx, dy) {
  let best = null;
  let least = Infinity;
  for (const other of document.querySelectorAll(".target")) {
    const there = centre(other);
    const x = 1000 * (there[0] - left);
    const y = 1000 * (there[1] - top);
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (along > 2 && along + 3 * aside < least) [best, least] = [other, along + 3 * aside];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const element = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    escape(element);
    return;
  }
  if (element.matches("input, select, textarea")) return;
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const onCell = element.closest(".target");
  const onOther = element.closest("tr[data-do], .box");
  if (event.key in arrows && (onCell || element.classList.contains("boardbox"))) {
    if (onCell) cursor = centre(onCell);
    const next = (cursor && nearest(cursor, ...arrows[event.key])) || (onCell ? null : middle());
    if (next) {
      next.focus();
      cursor = centre(next);
    }
    event.preventDefault();
    return;
  }
  if ((event.key === "Enter" || event.key === " ") && (onCell || onOther)) {
    (onCell || onOther).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    event.preventDefault();
    return;
  }
  if (element.matches("button, summary, a") && (event.key === "Enter" || event.key === " ")) return;
  if (event.key === " ") {
    tell({ do: document.querySelector("[data-do=step]") ? "step" : "pause" });
    event.preventDefault();
  } else if (event.key === "p") {
    const pass = document.querySelector("[data-move=pass], [data-move=Pass], [data-move=PASS]");
    if (pass) pass.click();
  } else if (event.key === "h") {
    const kinds = [...document.querySelectorAll("[data-do=heat]")];
    const now = kinds.findIndex((kind) => kind.getAttribute("aria-pressed") === "true");
    if (kinds.length) kinds[(now + 1) % kinds.length].click();
  } else if (event.key === "t") {
    by("theme").click();
  } else if (event.key in KEYS) {
    tell({ do: KEYS[event.key] });
    event.preventDefault();
  }
});

// Closes what is open, the nearest first: a message, the box one is in, a move that is begun, the way to the board.
function escape(element) {
  const box = element.closest("details[open]");
  if (by("said").classList.contains("on")) by("said").classList.remove("on");
  else if (box) {
    box.open = false;
    box.querySelector("summary").focus();
  } else if (document.querySelector(".picked")) tell({ do: "cell", cell: "" });
  else if (element.closest(".target")) element.closest(".boardbox").focus();
  else element.blur();
}

function middle() {
  const cells = document.querySelectorAll(".target");
  return cells.length ? cells[Math.floor(cells.length / 2)] : null;
}

// Light or dark: as the system says, until somebody chooses.
function stored(value) {
  try {
    if (value !== undefined) localStorage.setItem("theme", value);
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function theme(chosen) {
  document.documentElement.dataset.theme =
    chosen || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

by("theme").addEventListener("click", () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  stored(next);
  theme(next);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme(stored()));
addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== link) {
    link = location.hash.slice(1);
    tell({ do: "hello", link });
  }
});

theme(stored());
connect();
