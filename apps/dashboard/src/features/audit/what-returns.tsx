import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditEvent } from '@gatehouse/contract'
import { VersionTable } from '../../entities/version/version-table.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { restorePreviewOf } from './audit-queries.ts'
import { wordsOfThing } from './audit-words.ts'

/** What the restore of an old version changes, before it is done. */
export function WhatReturns({ event }: { event: AuditEvent }) {
  const query = useQuery(restorePreviewOf(event.id))
  return (
    <>
      <QueryLoader query={query} failureText="What the restore changes could not be loaded.">
        {({ current, restored }) => (
          <VersionTable
            label="What the restore changes"
            heads={['Now', 'After the restore']}
            before={current}
            after={restored}
          />
        )}
      </QueryLoader>
      <Text size="sm">
        {wordsOfThing(event.thing)} <b>{event.thing_name}</b> returns to the version that this event
        saved. Later changes are replaced; stored passwords and tokens stay as they are. The audit
        trail records the restore as an event, so you can undo it in the same way.
      </Text>
    </>
  )
}
