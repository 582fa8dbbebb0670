type Form = 'NFC' | 'NFKC' | 'NFKD'

/** Two signs of half width count: NFKC makes marks of them. */
const tooManyMarks = /[\p{M}\uff9e\uff9f]{31}/u

/**
 * More than 30 marks in a row, which no language writes. Ordering them takes time that grows with the
 * square of their number: 80,000 pairs hold a thread for 10 s (UAX #15 §13, Stream-Safe Text Format).
 */
export const hasTooManyMarks = (text: string): boolean => tooManyMarks.test(text)

/** A text in a normal form of Unicode, in linear time. One with too many marks in a row stays as it is. */
export const normalFormOf = (text: string, form: Form): string =>
  hasTooManyMarks(text) ? text : text.normalize(form)
