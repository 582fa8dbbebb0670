import { normalFormOf } from '../kernel/normal-form.ts'

/** Signs that format text and show nothing: zero width, directions, word joiners, the byte order mark. */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * A document's reference as it is compared: two that look the same are the same. What is shown and sent stays as
 * it came. Blank for a text that shows nothing (spec: document-register).
 */
export const referenceKey = (reference: string): string =>
  normalFormOf(reference.replace(invisible, ''), 'NFC').trim()
