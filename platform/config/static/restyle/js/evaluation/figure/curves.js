// Curves over steps ([data-curves] names the form of their choices): smoothed, on a logarithmic scale, and both in the
// address. Smoothing is an exponential moving average without the bias to zero of its beginning.
export function smoothed(rows, weight) {
  const running = new Map();
  return rows.map((row) => {
    const [sum, n] = running.get(row.curve) ?? [0, 0];
    const now = [weight * sum + (1 - weight) * row.value, n + 1];
    running.set(row.curve, now);
    return { ...row, smooth: weight ? now[0] / (1 - weight ** now[1]) : row.value };
  });
}

function logarithmic(spec, rows) {
  const positive = (panel) => rows.filter(({ curve }) => curve === panel.title).every(({ value }) => value > 0);
  const concat = spec.concat.map((panel) => {
    if (!spec.usermeta.logs.includes(panel.title) || !positive(panel)) return panel;
    const y = { ...panel.encoding.y, scale: { ...panel.encoding.y.scale, type: "log" } };
    return { ...panel, encoding: { ...panel.encoding, y } };
  });
  return { ...spec, concat };
}

export function chosen(form, spec) {
  if (!form || !spec.usermeta?.logs) return spec;
  const { smooth, log } = form.elements;
  const rows = smoothed(spec.data.values, Number(smooth.value));
  const drawn = { ...spec, data: { ...spec.data, values: rows } };
  return log.checked ? logarithmic(drawn, rows) : drawn;
}

const twoDigits = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function choices(form, change) {
  if (!form) return;
  const { smooth, log } = form.elements;
  const asked = new URLSearchParams(location.search);
  const tell = () => { form.querySelector("output").value = twoDigits.format(smooth.value); };
  if (asked.has("smooth")) smooth.value = asked.get("smooth");
  log.checked = asked.has("log");
  tell();
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const now = new URLSearchParams(location.search);
    if (Number(smooth.value)) now.set("smooth", smooth.value); else now.delete("smooth");
    if (log.checked) now.set("log", "1"); else now.delete("log");
    history.replaceState(history.state, "", location.pathname + (now.size ? `?${now}` : "") + location.hash);
    tell();
    change();
  });
}
