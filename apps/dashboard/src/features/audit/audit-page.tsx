import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditEvent } from '@gatehouse/contract'
import { toListQuery, useListParams } from '../../lib/list-params.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { ListView } from '../../ui/list-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { AuditEventDialog } from './audit-event-dialog.tsx'
import { isFiltered, toAuditQuery } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { auditQueries, useRestoreVersion } from './audit-queries.ts'
import { auditSortColumns, AuditTable } from './audit-table.tsx'
import { ExportButton } from './export-button.tsx'
import { useAuditFilter } from './use-audit-filter.ts'

const restoreTexts = {
  title: 'Restore this version?',
  confirm: 'Restore version',
  done: 'Version restored successfully!',
}

/** Who did what, when and from where, newest first; nothing in it can be changed. */
export function AuditPage() {
  const params = useListParams(auditSortColumns)
  const filters = useAuditFilter()
  const query = toAuditQuery(filters.filter)
  const list = useQuery(auditQueries.list({ ...toListQuery(params), ...query }))
  const restoring = useRestoreVersion()
  const [opened, setOpened] = useState<AuditEvent>()
  const [restored, setRestored] = useState<AuditEvent>()

  function handleRestore(event: AuditEvent) {
    setOpened(undefined)
    setRestored(event)
  }

  return (
    <Page
      title="Audit Trail"
      subtitle="Every change, sign-in, refusal and token, newest first. Nothing here can be changed."
      actions={
        <ExportButton
          query={{ ...query, ...(params.search === '' ? {} : { search: params.search }) }}
        />
      }
    >
      <ListView
        query={list}
        params={params}
        searchLabel="Search the trail"
        filters={<AuditFilters {...filters} />}
        empty={
          <Notice
            title={isFiltered(filters.filter) ? 'Nothing matches these filters.' : 'No events yet'}
          />
        }
      >
        {(rows) => <AuditTable rows={rows} params={params} onOpen={setOpened} />}
      </ListView>
      <AuditEventDialog
        event={opened}
        onRestore={handleRestore}
        onClose={() => setOpened(undefined)}
      />
      <ActionDialog
        row={restored}
        texts={restoreTexts}
        renderConsequences={(event) => <WhatReturns event={event} />}
        perform={(event) => restoring.mutateAsync(event.id)}
        onClose={() => setRestored(undefined)}
      />
    </Page>
  )
}

function WhatReturns({ event }: { event: AuditEvent }) {
  return (
    <Text size="sm">
      The {event.thing} <b>{event.thing_name}</b> becomes again what this event left behind. What
      was changed since is replaced; stored passwords and tokens stay as they are. The restoring is
      an event of its own, so it can be undone in the same way.
    </Text>
  )
}
