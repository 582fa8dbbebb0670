import type { ReconciliationRecord } from '@gatehouse/contract'
import type { UseFormReturnType } from '@mantine/form'
import type { ReconciliationBody } from './reconciliation-queries.ts'

interface ListValues {
  endpoint_id: string | null
  request: string
  items_path: string
  reference_path: string
  amount_path: string
}

export interface ReconciliationValues extends Record<string, unknown> {
  name: string
  kind: '' | 'tax' | 'credit'
  workflow_id: string
  register: string
  erp: ListValues
  has_authority: boolean
  authority: ListValues
  amount_path: string
  cron: string
  time_zone: string
}

export type ReconciliationForm = UseFormReturnType<ReconciliationValues>

const blankList = (): ListValues => ({
  endpoint_id: null,
  request: '{"from": "{{from}}", "to": "{{to}}"}',
  items_path: '',
  reference_path: '',
  amount_path: '',
})

export const newReconciliationValues = (): ReconciliationValues => ({
  name: '',
  kind: '',
  workflow_id: '',
  register: '',
  erp: blankList(),
  has_authority: false,
  authority: blankList(),
  amount_path: '',
  cron: '0 6 * * *',
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

type StoredList = ReconciliationRecord['erp']
const toList = ({ endpoint_id, ...list }: StoredList): ListValues => ({
  ...list,
  endpoint_id: String(endpoint_id),
})

export function toReconciliationValues(record: ReconciliationRecord): ReconciliationValues {
  const { name, kind, workflow_id, register, erp, authority, amount_path, cron, time_zone } = record
  return {
    name,
    kind,
    workflow_id: workflow_id === null ? '' : String(workflow_id),
    register,
    erp: toList(erp),
    has_authority: authority !== null,
    authority: authority ? toList(authority) : blankList(),
    amount_path,
    cron,
    time_zone,
  }
}

export const listBodyOf = ({ endpoint_id, ...list }: ListValues) => ({
  ...list,
  endpoint_id: Number(endpoint_id ?? 0),
})

export function toReconciliationBody(
  { has_authority, authority, erp, ...values }: ReconciliationValues,
  version?: number,
): ReconciliationBody {
  const { name, kind, workflow_id, register, amount_path, cron, time_zone } = values
  return {
    name,
    kind,
    workflow_id,
    register,
    amount_path,
    cron,
    time_zone,
    erp: listBodyOf(erp),
    authority: has_authority ? listBodyOf(authority) : null,
    ...(version === undefined ? {} : { version }),
  }
}
