// Asks the service for a summary, and hears of its progress: a stream of events whose data is JSON.
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    waiting += value;
    const told = waiting.split("\n\n");
    waiting = told.pop();
    for (const one of told) {
      const [, kind, data] = one.match(/^event: (\w+)\ndata: (.*)$/s) ?? [];
      if (kind) yield { kind, data: JSON.parse(data) };
    }
  }
}

// Returns what the service made of the form. Throws an Error whose message is a sentence for the reader; where no document
// can be read, `refused` has the number of each, and why.
export async function ask(fields, signal, progress) {
  let response;
  try {
    response = await fetch("page/summary", { method: "POST", body: fields, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The service does not answer; is it still running?");
  }
  if (!response.ok) throw new Error((await said(response)) || `The service answered with status ${response.status}.`);
  for await (const { kind, data } of events(response.body)) {
    if (kind === "progress") progress(data);
    if (kind === "failure") throw Object.assign(new Error(data.said), { refused: data.refused });
    if (kind === "summary") return data;
  }
  throw new Error("The service ended before the summary was made.");
}

// Returns two texts, given by their sentences, as HTML with the words marked that differ.
export async function difference(before, after) {
  const fields = new FormData();
  fields.set("before", before.join("\n"));
  fields.set("after", after.join("\n"));
  const response = await fetch("page/difference", { method: "POST", body: fields }).catch(() => null);
  if (!response) throw new Error("The service does not answer; is it still running?");
  if (!response.ok) throw new Error((await said(response)) || `The service answered with status ${response.status}.`);
  return response.json();
}

async function said(response) {
  const text = await response.text();
  try {
    const { detail, error } = JSON.parse(text);
    return error?.message ?? (typeof detail === "string" ? detail : "");
  } catch {
    return text.slice(0, 500);
  }
}
