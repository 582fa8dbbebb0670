import { Paper, Space, Text, Title } from '@mantine/core'
import type { ArchiveGrowth, DiskRecord } from '@gatehouse/contract'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { Facts } from '../../ui/text/facts.tsx'
import { Figures } from '../../ui/chart/figures.tsx'
import { classWords } from './archive-messages.ts'
import classes from './archive.module.css'

/** What database and archive hold, and when their disks are full at the pace of the last days. */
export function GrowthCard({ growth }: { growth: ArchiveGrowth }) {
  const { database, archive, classes: byClass } = growth
  const size = (bytes: number) => formatBytes(bytes, 'binary')
  return (
    <Paper component="section" className={classes['card'] ?? ''}>
      <Title order={3} mb="sm">
        Growth
      </Title>
      <Figures
        figures={[
          { name: 'Database', value: size(database.used_bytes) },
          { name: 'Archive', value: size(archive.used_bytes) },
          { name: 'Archived runs', value: growth.archived_runs.toLocaleString('en') },
          { name: 'Files', value: growth.files.toLocaleString('en') },
        ]}
      />
      <Space h="md" />
      <Facts
        facts={[
          ['Database grows', paceOf(database)],
          ['Archive grows', paceOf(archive)],
          ...byClass.map(
            (each) =>
              [
                `1,000 ${classWords[each.class].toLowerCase()}`,
                each.bytes_per_1000_runs === null
                  ? 'none among the newest runs'
                  : `${size(each.bytes_per_1000_runs)} on average`,
              ] as const,
          ),
        ]}
      />
      {database.reusable_bytes > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {size(database.reusable_bytes)} of the database file are free and used for new runs before
          the file grows. The file itself does not become smaller.
        </Text>
      )}
    </Paper>
  )
}

/** How fast it grows, and until when there is room. */
export function paceOf(disk: DiskRecord): string {
  const { bytes_per_day } = disk
  const pace =
    bytes_per_day === null
      ? 'measured once a day: no figures yet'
      : bytes_per_day <= 0
        ? 'not at the moment'
        : `by ${formatBytes(bytes_per_day, 'binary')} a day`
  return [pace, roomOf(disk)].join(' · ')
}

/** The room that is left, and until when. */
export function roomOf({ free_bytes, days_until_full }: DiskRecord): string {
  const room =
    free_bytes === null
      ? 'the free disk is not known here'
      : `${formatBytes(free_bytes, 'binary')} are free`
  const full =
    days_until_full === null ? [] : [`full in ${days_until_full.toLocaleString('en')} days`]
  return [room, ...full].join(' · ')
}
