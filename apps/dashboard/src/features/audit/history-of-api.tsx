import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import { RecordList } from '../../ui/table/record-list.tsx'
import { auditFilterNames, isFiltered, readAuditFilter, toAuditQuery } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { useAuditList } from './audit-list.tsx'

const things = ['api', 'endpoint'] as const
const empty = {
  title: 'No events yet',
  hint: 'Every change of this API and of its endpoints is kept here, with the version before it.',
}

/** Every change of an API and of its endpoints on its page, with the versions that can be restored. */
export function HistoryOfApi({ apiId }: { apiId: number }) {
  const filters = useAddressFilter(auditFilterNames, readAuditFilter)
  const { list, dialog } = useAuditList({ ...toAuditQuery(filters.filter), api_id: apiId })
  return (
    <>
      <RecordList
        id="audit-of-api"
        caption="History"
        {...list}
        filters={{
          fields: <AuditFilters {...filters} things={things} />,
          areSet: isFiltered(filters.filter),
        }}
        empty={empty}
      />
      {dialog}
    </>
  )
}
