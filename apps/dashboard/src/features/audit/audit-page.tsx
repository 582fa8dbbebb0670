import { useListParams } from '../../lib/page/list-params.ts'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import { ListPage } from '../../ui/table/list-page.tsx'
import { auditFilterNames, isFiltered, readAuditFilter, toAuditQuery } from './audit-filter.ts'
import { AuditFilters, auditTerms } from './audit-filters.tsx'
import { useAuditList } from './audit-list.tsx'
import { ExportButton } from './export-button.tsx'

/** Who did what, when and from where, newest first; nothing in it can be changed. */
export function AuditPage() {
  const filters = useAddressFilter(auditFilterNames, readAuditFilter)
  const filter = toAuditQuery(filters.filter)
  const { search } = useListParams([])
  const { list, dialog } = useAuditList(filter)
  return (
    <>
      <ListPage
        id="audit"
        title="Audit Trail"
        subtitle="Every change, sign-in, refusal and token, newest first. Nothing here can be changed."
        actions={<ExportButton query={{ ...filter, ...(search === '' ? {} : { search }) }} />}
        {...list}
        filters={{
          fields: <AuditFilters {...filters} />,
          areSet: isFiltered(filters.filter),
          terms: auditTerms,
        }}
        empty={{ title: 'No events yet' }}
      />
      {dialog}
    </>
  )
}
