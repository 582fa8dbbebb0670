import { Alert, Button, List, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CallError, messageOf } from '../../../lib/calls/call-error.ts'
import { ProblemList } from './problem-list.tsx'
import { problemsInRefusal } from './problem-words.ts'
import { isUnreadable, typeOfFile } from './upload-file.ts'

interface UploadRefusalProps {
  title: string
  error: unknown
  file: File
  /** Absent where another button tries again. */
  onRetry?: () => void
  isRetrying?: boolean
}

/** Why a file was refused: by the server, or by the browser that can’t read it any more. */
export function UploadRefusal(props: UploadRefusalProps) {
  const { title, error, file, onRetry, isRetrying = false } = props
  const isChanged = useIsChanged(error, file)
  const errors = error instanceof CallError ? error.errors : {}
  const messages = Object.values(errors).flat()
  const problems = messages.length === 0 ? undefined : problemsInRefusal(errors)
  return (
    <Stack gap="xs">
      <Alert color="red" role="alert" title={title}>
        <Stack gap="xs" align="flex-start">
          {isChanged ? (
            'The file has changed since it was chosen. Choose it again.'
          ) : problems || messages.length === 0 ? (
            messageOf(error)
          ) : (
            <List size="sm" listStyleType="none">
              {messages.map((message) => (
                <List.Item key={message}>{message}</List.Item>
              ))}
            </List>
          )}
          {isLost(error) &&
            !isChanged &&
            !onRetry &&
            'The same file is never taken twice: send it again.'}
          {onRetry && !isChanged && mayPass(error) && (
            <Button variant="default" size="xs" loading={isRetrying} onClick={onRetry}>
              Check again
            </Button>
          )}
        </Stack>
      </Alert>
      {problems && (
        <ProblemList problems={problems} hiddenRows={0} isCsv={typeOfFile(file) === 'text/csv'} />
      )}
    </Stack>
  )
}

const isLost = (error: unknown) => error instanceof CallError && error.code === 'network.failed'

/** The same file may be accepted later. */
const mayPass = (error: unknown) =>
  !(error instanceof CallError) || error.status < 400 || error.status === 429 || error.status >= 500

/** Browsers report a file that changed as a connection that failed. */
function useIsChanged(error: unknown, file: File): boolean {
  const { data = false } = useQuery({
    queryKey: ['unreadable-file', error, file],
    queryFn: () => isUnreadable(file),
    enabled: isLost(error),
    gcTime: 0,
  })
  return data
}
