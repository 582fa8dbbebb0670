import { tagsMax, type BulkChange, type TagCount } from '@gatehouse/contract'
import { sql, type SqlBool } from 'kysely'
import type { Db } from './connect.ts'
import { AppError } from '../kernel/app-error.ts'
import { containsText } from './dialect.ts'

type TaggedTable = 'api' | 'endpoint'

const writeTags = (tags: readonly string[]): string | null =>
  tags.length === 0 ? null : JSON.stringify(tags)

/** The column of a definition. Tags that it does not name stay as they are stored. */
export const tagsColumn = (
  tags: readonly string[] | null | undefined,
  stored: string | null | undefined,
): string | null => (tags === undefined ? (stored ?? null) : writeTags(tags ?? []))

export const readTags = (stored: string | null): string[] =>
  stored === null ? [] : (JSON.parse(stored) as string[])

/** The column with tags added and removed. Throws where there would be too many. */
export function changedTags(
  stored: string | null,
  { add_tags, remove_tags }: Pick<BulkChange, 'add_tags' | 'remove_tags'>,
): string | null {
  const tags = new Set([...readTags(stored), ...add_tags]).difference(new Set(remove_tags))
  if (tags.size > tagsMax)
    throw new AppError('request.invalid', { message: `There may be at most ${tagsMax} tags.` })
  return writeTags([...tags].toSorted())
}

/** True for rows that have the tag. It reads the index of tagged rows alone. */
export const hasTag = (db: Db, table: TaggedTable, tag: string) =>
  sql<SqlBool>`${sql.ref(`${table}.id`)} in (select tagged.id from ${sql.table(table)} as tagged
    where tagged.tags is not null and ${containsText(db, 'tagged.tags', JSON.stringify(tag))})`

/** The tags in use, by name. */
export async function countTags(db: Db, table: TaggedTable): Promise<TagCount[]> {
  const rows = await db
    .selectFrom(table)
    .select(['tags', sql<number>`count(*)`.as('count')])
    .where('tags', 'is not', null)
    .groupBy('tags')
    .execute()
  const counts = new Map<string, number>()
  for (const { tags, count } of rows)
    for (const tag of readTags(tags)) counts.set(tag, (counts.get(tag) ?? 0) + count)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
}
