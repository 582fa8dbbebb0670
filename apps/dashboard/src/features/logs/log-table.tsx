import { Anchor, Table } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { LogEntry } from '@gatehouse/contract'
import { entryTime } from './entry-words.ts'
import { LevelMark } from './level-mark.tsx'
import { LogContent } from './log-content.tsx'
import { byDay } from './log-day.ts'
import { entryAddress } from './log-params.ts'
import classes from './log-table.module.css'
import { useRowKeys } from '../../lib/keys/use-row-keys.ts'

interface LogTableProps {
  file: string
  entries: LogEntry[]
  isStandard: boolean
  /** The entry that a link leads to: it is brought into view. */
  linked: number | undefined
  /** Entries behind this place have come in since they are followed. */
  newSince: number
}

const role = (name: string) => ({ role: name })

/**
 * Level, Context, Date and Content in the standard format, else Date and Content (spec: screens), a line
 * for each entry under its day. In a narrow window each entry becomes a card; the roles are spelled out
 * because some browsers forget them once a table is laid out as anything else.
 */
export function LogTable({ file, entries, isStandard, linked, newSince }: LogTableProps) {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, '[data-log-line]')
  const heads = isStandard ? ['Level', 'Context', 'Date', 'Content'] : ['Date', 'Content']
  const days = byDay(entries)
  const hasOtherDates = days.some(({ title }) => title === '')
  return (
    <Table
      ref={table}
      className={classes['table'] ?? ''}
      data-other-dates={hasOtherDates || undefined}
      {...role('table')}
      aria-label={file}
    >
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          {heads.map((head) => (
            <th key={head} {...role('columnheader')} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {days.map((day) => (
        <tbody key={day.entries[0]?.id} {...role('rowgroup')}>
          {day.title !== '' && (
            <tr {...role('row')} className={classes['day']}>
              <th {...role('rowheader')} scope="rowgroup" colSpan={heads.length}>
                {day.title}
              </th>
            </tr>
          )}
          {day.entries.map((entry) => (
            <Row
              key={entry.id}
              entry={entry}
              isLinked={entry.id === linked}
              isNew={entry.id > newSince}
            >
              {isStandard && (
                <>
                  <td {...role('cell')} className={classes['level']}>
                    <LevelMark entry={entry} />
                  </td>
                  <td {...role('cell')} className={classes['context']} title={entry.context}>
                    {entry.context}
                  </td>
                </>
              )}
              <td {...role('cell')} className={classes['date']}>
                <EntryDate file={file} entry={entry} />
              </td>
              <td {...role('cell')} className={classes['content']}>
                <LogContent file={file} entry={entry} />
              </td>
            </Row>
          ))}
        </tbody>
      ))}
    </Table>
  )
}

function EntryDate({ file, entry }: { file: string; entry: LogEntry }) {
  const { day, time, zone } = entryTime(entry)
  const words = [day, time, zone].filter(Boolean).join(' ')
  return (
    <Anchor
      component={Link}
      to={entryAddress(file, entry.id)}
      c="inherit"
      fz="inherit"
      title={entry.date}
      aria-label={`${words || 'Entry'}, link to this entry`}
    >
      {time || '#'}
    </Anchor>
  )
}

interface RowProps {
  entry: LogEntry
  isLinked: boolean
  isNew: boolean
  children: ReactNode
}

function Row({ entry, isLinked, isNew, children }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isLinked) row.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  return (
    <tr
      ref={row}
      {...role('row')}
      data-level={entry.level_class || undefined}
      data-linked={isLinked || undefined}
      data-new={isNew || undefined}
      {...(isLinked ? { 'aria-current': 'true' as const } : {})}
    >
      {children}
    </tr>
  )
}
