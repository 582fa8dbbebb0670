import './field-looks.css'

/** `styles` of a field for a short number: what is said about it may be wider. */
export const narrowField = { wrapper: { maxWidth: 220 } }

/**
 * Of a field that has to be filled in: marked, in sight by a style of its label, so that the label reads as before. The
 * server checks it.
 */
export const neededField = { labelProps: { 'data-needed': true }, 'aria-required': true } as const
