/** `styles` of a field for a short number: what is said about it may be wider. */
export const narrowField = { wrapper: { maxWidth: 220 } }
