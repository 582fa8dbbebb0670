import { useAddressFilter } from '../../lib/use-address-filter.ts'
import { readAuditFilter } from './audit-filter.ts'

const names = ['actor', 'action', 'thing', 'thing_id', 'outcome', 'from', 'to'] as const

/** The filters of the trail, kept in the address so that links lead to a record's own history. */
export const useAuditFilter = () => useAddressFilter(names, readAuditFilter)

export type AuditFilterState = ReturnType<typeof useAuditFilter>
