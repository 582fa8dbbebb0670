import type { HookRecord } from '@gatehouse/contract'
import { readRow } from '../../../db/tables/column.ts'
import { hookShown } from '../../../db/tables/hooks.ts'
import type { HookRow } from './hook-store.ts'

/** For answers: without secrets. */
export const toHookRecord = (row: HookRow): HookRecord => readRow(hookShown, row)
