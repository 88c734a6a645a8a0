// Shows one task after the other and keeps every answer in the browser at the moment when it is given. A finished task
// is an entry of a list that only grows: whoever changes an answer adds another entry, with its own time. `Session` is
// all of this without a page; what is below it draws the page.
"use strict";

class Session {
  constructor(content, storage, now) {
    this.content = content;
    this.tasks = content.tasks;
    this.storage = storage;
    this.now = now;
    this.key = `nutgraf-judging-${content.study}-${content.judge}`;
    this.kept = true;
    const found = this.load();
    this.entries = this.joined(found.entries);
    this.drafts = found.drafts;
    this.at = this.firstOpen();
  }

  load() {
    try {
      const found = JSON.parse(this.storage.getItem(this.key));
      if (found && Array.isArray(found.entries) && found.drafts) return found;
    } catch (error) {
      this.kept = false;
    }
    return { entries: [], drafts: {} };
  }

  // A page that is served brings the answers that are stored already, so that another browser goes on with them.
  joined(entries) {
    const same = (one, other) => one.task === other.task && Date.parse(one.at) === Date.parse(other.at);
    const missing = (this.content.given ?? []).filter((one) => !entries.some((other) => same(one, other)));
    return [...missing, ...entries].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  }

  keep() {
    try {
      this.storage.setItem(this.key, JSON.stringify({ entries: this.entries, drafts: this.drafts }));
      this.kept = true;
    } catch (error) {
      this.kept = false;
    }
  }

  latest(task) {
    return this.entries.filter((entry) => entry.task === task.key).pop();
  }

  firstOpen() {
    const place = this.tasks.findIndex((task) => !this.latest(task));
    return place < 0 ? this.tasks.length : place;
  }

  get task() {
    return this.tasks[this.at];
  }

  get done() {
    return this.tasks.filter((task) => this.latest(task)).length;
  }

  draft(task = this.task) {
    if (!this.drafts[task.key]) {
      const before = this.latest(task);
      const answers = { ...(before ? before.answers : {}) };
      const length = Number(answers[this.content.lengthKey] || 1);
      delete answers[this.content.lengthKey];
      this.drafts[task.key] = { answers, length, seconds: before ? before.seconds : 0 };
    }
    return this.drafts[task.key];
  }

  choose(name, value) {
    this.draft().answers[name] = value;
    this.keep();
  }

  spend(seconds) {
    if (this.task) this.draft().seconds += seconds;
  }

  // Why the task is not finished; "" if it is.
  problem() {
    const { answers } = this.draft();
    const open = this.task.questions.filter((question) => !(question.name in answers));
    if (open.length) return open.length === 1 ? "One question is open." : `${open.length} questions are open.`;
    const given = Object.values(answers);
    return this.task.distinct && new Set(given).size < given.length ? "Choose different summaries." : "";
  }

  // Shows the next longer text if somebody asked for more and there is one; else finishes the task and goes on.
  next() {
    if (this.problem()) return;
    const draft = this.draft();
    const asked = Object.keys(draft.answers).filter((name) => draft.answers[name] === "more");
    if (asked.length && draft.length < this.task.texts[0].length) {
      draft.length += 1;
      asked.forEach((name) => delete draft.answers[name]);
      this.keep();
      return;
    }
    this.finish(draft);
    this.at += 1;
  }

  finish(draft) {
    const answers = { ...draft.answers };
    if (this.task.texts[0].length > 1) answers[this.content.lengthKey] = String(draft.length);
    const before = this.latest(this.task);
    const same = (one) => JSON.stringify(Object.entries(one).sort());
    if (!before || same(before.answers) !== same(answers)) {
      const seconds = Math.round(draft.seconds * 10) / 10;
      this.entries.push({ task: this.task.key, answers, seconds, at: this.now() });
    }
    delete this.drafts[this.task.key];
    this.keep();
  }

  back() {
    this.at = Math.max(0, this.at - 1);
  }

  file() {
    const { schema, study, judge, version } = this.content;
    return JSON.stringify({ schema, study, judge, version, answers: this.entries }, null, 1);
  }
}

function start() {
  const find = (id) => document.getElementById(id);
  const content = JSON.parse(find("content").textContent);
  let storage = null;
  try {
    storage = window.localStorage;
  } catch (error) {
    // A browser may forbid it; the page says so below.
  }
  const session = new Session(content, storage, () => new Date().toISOString());
  let since = Date.now();
  let arrived = Promise.resolve();
  let lost = "";

  // A page that is served sends its answers at once, and all of them, so that none is missing after a failure.
  function send() {
    if (!content.given) return;
    arrived = arrived.then(async () => {
      try {
        const answer = await fetch("", { method: "POST", headers: { "Content-Type": "application/json" }, body: session.file() });
        lost = answer.ok ? "" : `Your answers were refused (${answer.status}).`;
      } catch (error) {
        lost = "Your answers cannot be sent.";
      }
      state();
    });
  }

  function make(name, text, parent) {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  }

  function tick() {
    const now = Date.now();
    if (!document.hidden) session.spend(Math.min((now - since) / 1000, 5));
    since = now;
  }

  function drawTexts(task) {
    const box = find("texts");
    box.replaceChildren();
    task.texts.forEach((versions, place) => {
      const article = make("article", "", box);
      make("h2", task.texts.length > 1 ? `Summary ${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[place]}` : "The text", article);
      const text = make("div", versions[Math.min(session.draft().length, versions.length) - 1], article);
      text.className = "text";
      text.dir = "auto";
    });
  }

  function drawQuestions(task) {
    const form = find("questions");
    form.replaceChildren();
    task.questions.forEach((question, number) => {
      const field = make("fieldset", "", form);
      make("legend", question.prompt, field);
      const row = make("div", "", field);
      row.className = "choices";
      question.choices.forEach(([value, words]) => {
        const label = make("label", "", row);
        const input = make("input", "", label);
        input.type = "radio";
        input.name = `q${number}`;
        input.checked = session.draft().answers[question.name] === value;
        input.addEventListener("change", () => {
          tick();
          session.choose(question.name, value);
          state();
        });
        label.append(` ${words}`);
      });
    });
  }

  function state() {
    const open = Boolean(session.task);
    find("progress").textContent = `${session.done} of ${session.tasks.length} done${open ? `, this is number ${session.at + 1}` : ""}`;
    find("bar").value = session.done / Math.max(session.tasks.length, 1);
    find("back").disabled = session.at === 0;
    find("next").disabled = !open || Boolean(session.problem());
    find("problem").textContent = open ? session.problem() : "";
    const kept = session.kept || Boolean(content.given);
    find("warning").hidden = kept && !lost;
    find("warning").textContent = lost
      ? `${lost} They are kept in this browser, and sent with the next one; or save them as a file.`
      : "This browser does not keep your answers. Save them as a file before you close the page.";
  }

  function draw() {
    const { task } = session;
    find("task").hidden = !task;
    find("end").hidden = Boolean(task);
    if (task) {
      find("source").hidden = !task.source;
      find("document").textContent = task.source;
      find("document").scrollTop = 0;
      drawTexts(task);
      drawQuestions(task);
    }
    state();
    window.scrollTo(0, 0);
  }

  function move(step) {
    tick();
    const before = session.entries.length;
    step();
    session.keep();
    draw();
    if (session.entries.length > before) send();
    const input = document.querySelector("#questions input");
    if (input) input.focus({ preventScroll: true });
  }

  find("next").addEventListener("click", () => move(() => session.next()));
  find("back").addEventListener("click", () => move(() => session.back()));
  find("questions").addEventListener("submit", (event) => event.preventDefault());
  find("questions").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (session.task && !session.problem()) move(() => session.next());
  });
  // A number chooses in the question that has the focus, or else in the first that is open, and goes to the next open one.
  document.addEventListener("keydown", (event) => {
    if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    const fields = [...document.querySelectorAll("#questions fieldset")];
    const open = () => fields.find((one) => !one.querySelector(":checked"));
    const choice = (event.target.closest("fieldset") ?? open())?.querySelectorAll("input")[Number(event.key) - 1];
    if (!choice) return;
    choice.click();
    (open()?.querySelector("input") ?? choice).focus();
  });
  find("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([session.file()], { type: "application/json" }));
    link.download = `${content.judge}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      session.spend(Math.min((Date.now() - since) / 1000, 5));
      session.keep();
    }
    since = Date.now();
  });
  setInterval(tick, 1000);
  session.keep();
  draw();
  if (session.entries.length) send();
}

if (typeof document !== "undefined") start();
