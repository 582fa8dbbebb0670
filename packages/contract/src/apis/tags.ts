import { z } from 'zod'
import { text } from '../kernel/fields.ts'
import { normalFormOf } from '../kernel/normal-form.ts'

// Words by which users sort APIs and endpoints. They mean nothing to the gateway.

export const tagsMax = 20
const tagLengthMax = 40

/** No quotes or backslashes: a tag stands for itself in JSON text. */
const tagPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:/+-]*$/u
/** Some letters can't be seen, as the filler of Hangul. */
const unseen = /\p{Default_Ignorable_Code_Point}/u

/** Case and width do not count: a tag is kept in small letters. */
const toTag = (typed: string) => normalFormOf(typed, 'NFKC').trim().toLowerCase()

function tagProblem(tag: string): string | undefined {
  if (tag.length > tagLengthMax) return `A tag may not be longer than ${tagLengthMax} characters.`
  if (tagPattern.test(tag) && !unseen.test(tag)) return undefined
  return `“${tag}” can’t be a tag: use letters, digits, blanks and . _ : / + - after a letter or digit.`
}

/** Each once, in order; blank ones do not count. */
export const tagList = z
  .array(z.string(), { error: 'The tags must be a list.' })
  .transform((typed) => [...new Set(typed.map(toTag))].filter((tag) => tag !== '').toSorted())
  .superRefine((tags, context) => {
    const message =
      tags.length > tagsMax
        ? `There may be at most ${tagsMax} tags.`
        : tags.map(tagProblem).find((problem) => problem !== undefined)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** Of a filter: absent or blank means any. */
export const tagFilter = text(200, 'tag').transform((value) => toTag(value) || undefined)

/** A tag in use, and on how many records it is. */
export const tagCount = z.object({ tag: z.string(), count: z.number().int() })
export type TagCount = z.output<typeof tagCount>
