import { Text } from '@mantine/core'
import { ageWords } from '../../lib/format/age-words.ts'
import { useLastChange, type ChangedThing } from '../../lib/forms/last-change.ts'
import { Moment } from '../text/moment.tsx'

/** Who has changed a record last, and when, for those who may see the audit trail. */
export function LastChange({ of }: { of: ChangedThing | undefined }) {
  const change = useLastChange(of)
  if (!change) return null
  return (
    <Text size="sm">
      Changed by <strong>{change.actor}</strong> {ageWords(change.at)} ago (
      <Moment at={change.at} isRelative />)
    </Text>
  )
}
