import { Anchor, Table, Badge } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { LogEntry } from '@gatehouse/contract'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { LogContent } from './log-content.tsx'
import { entryAddress } from './log-params.ts'
import classes from './log-table.module.css'

interface LogTableProps {
  file: string
  entries: LogEntry[]
  isStandard: boolean
  /** The entry that a link leads to: it is brought into view. */
  linked: number | undefined
  /** Entries behind this place have come in since they are followed. */
  newSince: number
  onSearch: (text: string) => void
}

const role = (name: string) => ({ role: name })

/**
 * Level, Context, Date and Content in the standard format, else Date and Content (spec: screens). In a
 * narrow window each entry becomes a card; the roles are spelled out because some browsers forget
 * them once a table is laid out as anything else.
 */
export function LogTable(props: LogTableProps) {
  const { file, entries, isStandard, linked, newSince, onSearch } = props
  const heads = isStandard ? ['Level', 'Context', 'Date', 'Content'] : ['Date', 'Content']
  return (
    <Table className={classes['table'] ?? ''} {...role('table')} aria-label={file}>
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          {heads.map((head) => (
            <th key={head} {...role('columnheader')} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...role('rowgroup')}>
        {entries.map((entry) => (
          <Row key={entry.id} isLinked={entry.id === linked} isNew={entry.id > newSince}>
            {isStandard && (
              <>
                <td {...role('cell')} className={classes['level']}>
                  <LevelBadge entry={entry} />
                </td>
                <td {...role('cell')} className={classes['context']}>
                  {entry.context}
                </td>
              </>
            )}
            <td {...role('cell')} className={classes['date']}>
              <Anchor
                component={Link}
                to={entryAddress(file, entry.id)}
                c="inherit"
                fz="inherit"
                aria-label={`${entry.date || 'Entry'}, link to this entry`}
              >
                {entry.date || '#'}
              </Anchor>
            </td>
            <td {...role('cell')} className={classes['content']}>
              <LogContent entry={entry} onSearch={onSearch} />
            </td>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}

interface RowProps {
  isLinked: boolean
  isNew: boolean
  children: ReactNode
}

function Row({ isLinked, isNew, children }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isLinked) row.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  return (
    <tr
      ref={row}
      {...role('row')}
      data-linked={isLinked || undefined}
      data-new={isNew || undefined}
      {...(isLinked ? { 'aria-current': 'true' as const } : {})}
    >
      {children}
    </tr>
  )
}

const colors = { info: 'blue', warning: 'orange', danger: 'red', '': 'gray' } as const
const icons = {
  'info-circle': IconInfoCircle,
  'exclamation-triangle': IconAlertTriangle,
  '': undefined,
} as const

/** Level with the icon and the colour that the server gives it. */
function LevelBadge({ entry }: { entry: LogEntry }) {
  if (entry.level === '') return null
  const LevelIcon = icons[entry.level_img]
  return (
    <Badge
      color={colors[entry.level_class]}
      leftSection={LevelIcon && <LevelIcon size={14} stroke={2} aria-hidden />}
    >
      {entry.level}
    </Badge>
  )
}
