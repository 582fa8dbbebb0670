import { createHash } from 'node:crypto'
import { readRow } from '../../../db/tables/column.ts'
import { hookRules } from '../../../db/tables/hooks.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import { textIn } from '../../runs/answers/read-large.ts'
import type { HookRow } from './hook-store.ts'

type Rules = Pick<HookRow, keyof typeof hookRules>
type Context = Pick<CallContext, 'header'>

/** The id that is signed, or else the bytes themselves. */
export function receiptKeyOf(hook: Rules, bodyText: string, { header }: Context): string {
  const { signed, id_header } = readRow(hookRules, hook).scheme
  const id = signed === 'id.timestamp.body' ? header(id_header) : undefined
  const what = id === undefined ? `body ${bodyText}` : `id ${id}`
  return createHash('sha256').update(what).digest('hex')
}

/** Whether the filter of a hook lets a message through. */
export async function passes(hook: Rules, bodyText: string, { header }: Context): Promise<boolean> {
  const { filter } = readRow(hookRules, hook)
  if (filter === null) return true
  const { where, name, equals } = filter
  const value = where === 'header' ? header(name.toLowerCase()) : await textIn(bodyText, name)
  return value === equals
}
