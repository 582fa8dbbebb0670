import { Badge, Tooltip } from '@mantine/core'
import type { ApiFault } from '@gatehouse/contract'
import { apiFaultWords } from '../../entities/api/api-fault-words.ts'

/** `FaultAlert` in two words, for the list. */
export function FaultBadge({ fault }: { fault: ApiFault }) {
  const { what, mend } = apiFaultWords[fault]
  return (
    <Tooltip label={`Not served: ${what}. ${mend}`} multiline maw={320}>
      <Badge color="red">not served</Badge>
    </Tooltip>
  )
}
