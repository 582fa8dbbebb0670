import { serverWords } from '../../lib/calls/server-words.tsx'

/** What the server calls a document, in the language of the page; names of APIs and roles stay as they are. */
export function titleWords(title: string): string {
  const role = /^All APIs for (.+)$/s.exec(title)?.[1]
  return role === undefined ? serverWords(title) : `All APIs for ${role}`
}
