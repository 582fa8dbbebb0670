import type { UseFormReturnType } from '@mantine/form'
import type { HookRecord, HookScheme } from '@gatehouse/contract'
import type { HookBody } from './hook-queries.ts'

interface HookValues extends Record<string, unknown> {
  name: string
  preset: HookRecord['preset']
  /** Sent for the preset `custom` alone. */
  scheme: HookScheme
  window_seconds: number | null
  filter: { where: string; name: string; equals: string }
  is_paused: boolean
  secret: string
  new_secret: boolean
}

export type HookFormState = UseFormReturnType<HookValues>

const newScheme: HookScheme = {
  header: '',
  prefix: '',
  encoding: 'hex',
  signed: 'body',
  timestamp_header: '',
  id_header: '',
}

export const toHookValues = (hook: HookRecord | undefined): HookValues => ({
  name: hook?.name ?? '',
  preset: hook?.preset ?? 'standard',
  scheme: hook?.preset === 'custom' ? hook.scheme : newScheme,
  window_seconds: hook?.window_seconds ?? null,
  filter: hook?.filter ?? { where: '', name: '', equals: '' },
  is_paused: hook?.is_paused ?? false,
  secret: '',
  new_secret: false,
})

export function toHookBody({ scheme, filter, ...plain }: HookValues): HookBody {
  const { where } = filter
  return {
    ...plain,
    scheme: plain.preset === 'custom' ? scheme : null,
    filter: where === 'header' || where === 'body' ? { ...filter, where } : null,
  }
}
