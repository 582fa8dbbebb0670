/**
 * Two braces open a placeholder in what a person types; two braces that are text are typed as four.
 * Closing braces need no sign of their own: outside of a placeholder they are text.
 */
export const bracesHint = 'Two braces that are text are written {{{{.'

/** What has to be typed so that this text leaves as it is. */
export const escapeBraces = (text: string) => text.replaceAll('{{', '{{{{')

/** The text that was meant: each four braces are two. */
export const unescapeBraces = (text: string) => text.replaceAll('{{{{', '{{')

/** True where two braces open something: what is left of a run of braces once fours are taken out. */
export function opensPlaceholder(text: string): boolean {
  for (const [run] of text.matchAll(/\{{2,}/g)) if (run.length % 4 >= 2) return true
  return false
}
