/** The `./placeholders` entry: placeholders in typed bodies, for the server and the editor alike, without Zod. */
export { judgePlaceholders, placeholderOf } from '../placeholders/judge-placeholders.ts'
export type { PlaceholderProblem } from '../placeholders/judge-placeholders.ts'
export { strayMessage } from '../placeholders/placeholder-hint.ts'
export type { Place } from '../placeholders/placeholder-hint.ts'
export { isOnePlaceholder, piecesOf } from '../placeholders/placeholder-pieces.ts'
export type { Written } from '../placeholders/placeholder-pieces.ts'
export { readPlaceholder, valueAt } from '../placeholders/read-placeholder.ts'
export type { AnswerOf, Placeholder } from '../placeholders/read-placeholder.ts'
