// Where things stand on the page of an alignment: its rows, its words, and the hidden field that holds the state.
import { letter } from "./state.js";

export const root = () => document.querySelector("[data-align]");
export const field = () => root().querySelector("[data-state]");
export const read = () => JSON.parse(field().value);
export const rows = (side) => [...root().querySelectorAll(`[data-column="${side}"] [data-place]`)];
export const sideOf = (row) => row.closest("[data-column]").dataset.column;
export const placeOf = (row) => Number(row.dataset.place);
export const reusable = () => "reuse" in root().dataset; // whether a sentence may belong to several pairs

export const words = (name, n) => root().dataset[`words${name}`].replace("LETTER", n === undefined ? "" : letter(n));
export const say = (text) => document.dispatchEvent(new CustomEvent("restyle:say", { detail: text }));
export const toast = (text) => document.dispatchEvent(new CustomEvent("restyle:toast", { detail: text }));
