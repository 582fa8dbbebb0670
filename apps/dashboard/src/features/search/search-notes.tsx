import { Text } from '@mantine/core'
import { Moment } from '../../ui/text/moment.tsx'
import type { SearchAnswer } from './search-queries.ts'

/** What a search did not look at, in words. */
export function SearchNotes({ answer }: { answer: SearchAnswer }) {
  const { searched_since, indexed_share } = answer
  return (
    <>
      {searched_since !== null && (
        <Text size="xs" c="dimmed">
          These words are in too many requests: searched back to <Moment at={searched_since} />. Add
          a word, or choose a period.
        </Text>
      )}
      {indexed_share !== null && (
        <Text size="xs" c="dimmed">
          The texts of older requests are still being read: {Math.floor(indexed_share * 100)} % are
          done. References are found already.
        </Text>
      )}
    </>
  )
}
