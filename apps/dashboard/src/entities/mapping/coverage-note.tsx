import { Text } from '@mantine/core'
import { Disclosure } from '../../ui/disclosure.tsx'
import classes from './mapping-rows.module.css'
import type { SourceCoverage } from './source-coverage.ts'

const shownPlaces = 200

/** Which places of the data no row reads. */
export function CoverageNote({ coverage }: { coverage: SourceCoverage | undefined }) {
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
    <Disclosure title="Not read" note={`${words}. Elements of a list count as one.`}>
      <ul className={classes['unread']}>
        {unread.slice(0, shownPlaces).map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </Disclosure>
  )
}
