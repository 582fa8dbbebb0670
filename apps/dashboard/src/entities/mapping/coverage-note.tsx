import { Button, Text } from '@mantine/core'
import { Fold } from '../../ui/page/fold.tsx'
import classes from './table/mapping-rows.module.css'
import type { SourceCoverage } from './source-coverage.ts'

const shownPlaces = 200

interface CoverageNoteProps {
  coverage: SourceCoverage | undefined
  /** Adds a row for each. */
  onMapUnread: ((paths: readonly string[]) => void) | undefined
}

/** Which places of the data no row reads. */
export function CoverageNote({ coverage, onMapUnread }: CoverageNoteProps) {
  if (!coverage || coverage.total === 0) return null
  const { unread, total, isCut } = coverage
  const read = total - unread.length
  const more = unread.length - shownPlaces
  const words = `${read} of ${total}${isCut ? ' or more' : ''} values of the source are read`
  if (unread.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words}: all of it.
      </Text>
    )
  }
  return (
    <>
      {onMapUnread && (
        <Button variant="default" size="compact-sm" onClick={() => onMapUnread(unread)}>
          {read === 0 ? 'Map all by their names' : 'Map the rest by their names'}
        </Button>
      )}
      <Fold title={words}>
        <Text size="sm">Not read. Elements of a list count as one.</Text>
        <ul className={classes['unread']}>
          {unread.slice(0, shownPlaces).map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      </Fold>
    </>
  )
}
