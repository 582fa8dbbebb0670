import { useQuery } from '@tanstack/react-query'
import type { ArchiveGrowth, DiskRecord } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { Facts } from '../../ui/text/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { archiveMessages } from './archive-messages.ts'
import { archiveQueries } from './archive-queries.ts'
import { paceOf, roomOf } from './growth-card.tsx'

/** On the dashboard's home: what database and archive hold, how fast they grow, and until when there is room. */
export function ArchivePanel() {
  const query = useQuery(archiveQueries.onHome())
  return (
    <Panel id="storage" title="Storage" more={{ label: 'Archive', to: paths.archive }}>
      <QueryLoader query={query} failureText={archiveMessages.notLoaded}>
        {({ growth }) => <Growth {...growth} />}
      </QueryLoader>
    </Panel>
  )
}

function Growth({ database, archive }: ArchiveGrowth) {
  const size = (bytes: number) => formatBytes(bytes, 'binary')
  // A pace that is not known yet is nothing to read.
  const words = (disk: DiskRecord) => (disk.bytes_per_day === null ? roomOf(disk) : paceOf(disk))
  return (
    <Facts
      facts={[
        [`Database, ${size(database.used_bytes)}`, words(database)],
        [`Archive, ${size(archive.used_bytes)}`, words(archive)],
      ]}
    />
  )
}
