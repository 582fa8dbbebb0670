import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ApiFault } from '@gatehouse/contract'
import { apiFaultWords } from '../../entities/api/api-fault-words.ts'

/** On the form of an API that the gateway does not serve: why, and what mends it. */
export function FaultAlert({ fault }: { fault: ApiFault }) {
  const { what, mend } = apiFaultWords[fault]
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      title="The gateway does not serve this API"
      icon={<IconAlertTriangle aria-hidden />}
    >
      Its callers are answered 503, because {what}. {mend}
    </Alert>
  )
}
