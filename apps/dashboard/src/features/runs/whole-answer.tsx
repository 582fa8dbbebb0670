import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { callBytes } from '../../lib/calls/call-bodies.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { saveFile } from '../../lib/browser/save-file.ts'

interface WholeAnswerProps {
  runId: number
  position: number
  attempt: number
}

/** Downloads an answer that is too long for the page. */
export function WholeAnswer({ runId, position, attempt }: WholeAnswerProps) {
  const [isLoading, setIsLoading] = useState(false)
  async function handleDownload() {
    setIsLoading(true)
    try {
      const { body, headers } = await callBytes('GET /api/runs/:id/steps/:n/answer', {
        params: { id: runId, n: position },
        query: { attempt },
      })
      const ending = headers.get('content-type')?.includes('json') ? 'json' : 'txt'
      saveFile(`run-${runId}-step-${position}-attempt-${attempt}.${ending}`, body)
    } catch (error) {
      notifyError('Failed to fetch the answer.', messageOf(error))
    } finally {
      setIsLoading(false)
    }
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      mt={6}
      leftSection={<IconDownload size={14} aria-hidden />}
      loading={isLoading}
      onClick={() => void handleDownload()}
    >
      Download the whole answer
    </Button>
  )
}
