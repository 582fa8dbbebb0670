import { Alert, Button, Group, Loader, Paper, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '../../../lib/format/format-bytes.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { batchQueries, type Upload, type useStartBatch } from './batch-queries.ts'
import { BadRows } from './bad-rows.tsx'
import { rowWords } from './batch-words.ts'
import { InputPreview } from './input-preview.tsx'
import type { Check } from './mend-csv.ts'
import { ProblemList } from './problem-list.tsx'
import { problemsOf } from './problem-words.ts'
import classes from './send-file.module.css'
import { UploadRefusal } from './upload-refusal.tsx'

interface CheckedFileProps {
  slug: string
  upload: Upload & { choice: number }
  sending: ReturnType<typeof useStartBatch>
  onSend: () => void
  /** Another file takes its place. */
  onReplace: (file: File) => void
  /** Sends this one in its place. */
  onSendOther: (file: File) => void
}

/** What a file holds and what is wrong with it, before anything of it is stored. */
export function CheckedFile(props: CheckedFileProps) {
  const { slug, upload, sending, onSend, onReplace, onSendOther } = props
  const check = useQuery(batchQueries.check(slug, upload))
  if (check.isError)
    return (
      <UploadRefusal
        title="The file can’t be sent"
        error={check.error}
        file={upload.file}
        onRetry={() => void check.refetch()}
        isRetrying={check.isFetching}
      />
    )
  if (!check.data) return <Checking file={upload.file} />
  return (
    <>
      <Result check={check.data} type={upload.type}>
        {sending.isError && (
          <UploadRefusal title="The file was not sent" error={sending.error} file={upload.file} />
        )}
        {check.data.bad === 0 && check.data.total > 0 && (
          <Group gap="sm">
            <Button
              leftSection={<IconSend size={16} aria-hidden />}
              loading={sending.isPending}
              onClick={onSend}
            >
              Send {rowWords(check.data.total)}
            </Button>
            {sending.isPending && (
              <Text component="output" size="sm" c="dimmed">
                It is uploaded and stored. Stay on this page until it is.
              </Text>
            )}
          </Group>
        )}
      </Result>
      {check.data.bad > 0 && (
        <BadRows
          check={check.data}
          file={upload.file}
          isSending={sending.isPending}
          onMend={onReplace}
          onSendGood={onSendOther}
        />
      )}
      {check.data.rows.length > 0 && (
        <FormCard
          title="First rows that fit"
          description="As the workflow receives them. Blank cells are left out."
        >
          <InputPreview rows={check.data.rows} />
        </FormCard>
      )}
    </>
  )
}

function Checking({ file }: { file: File }) {
  return (
    <Paper withBorder p="lg">
      <Group component="output" gap="sm">
        <Loader size="sm" aria-hidden />
        <Text size="sm">
          Checking {formatBytes(file.size, 'decimal')}. Nothing is stored by this.
        </Text>
      </Group>
    </Paper>
  )
}

interface ResultProps {
  check: Check
  type: Upload['type']
  children: React.ReactNode
}

function Result({ check, type, children }: ResultProps) {
  const { total, bad, problems } = check
  return (
    <FormCard title="What it holds">
      <dl className={classes['totals']}>
        <Total name={total === 1 ? 'Row' : 'Rows'} value={total} />
        <Total name="Can be sent" value={total - bad} />
        <Total name="Can’t be sent" value={bad} isBad={bad > 0} />
      </dl>
      {total === 0 && (
        <Alert color="orange" role="alert" title="There is no row in this file">
          {type === 'text/csv' ? 'It has a header and nothing below it.' : 'Choose another file.'}
        </Alert>
      )}
      {bad > 0 && (
        <Stack gap="xs">
          <Alert
            color="red"
            role="alert"
            title={`${rowWords(bad)} of ${total.toLocaleString('en')} can’t be sent`}
          >
            {check.csv?.bad_rows
              ? 'Mend them below, or in the file, and check it again. Nothing of it was stored.'
              : 'Correct them in the file and choose it again. Nothing of it was stored.'}
          </Alert>
          <ProblemList
            problems={problemsOf(problems)}
            hiddenRows={bad - problems.length}
            isCsv={type === 'text/csv'}
          />
        </Stack>
      )}
      {children}
    </FormCard>
  )
}

function Total({ name, value, isBad = false }: { name: string; value: number; isBad?: boolean }) {
  return (
    <div data-bad={isBad}>
      <dt>{name}</dt>
      <dd>{value.toLocaleString('en')}</dd>
    </div>
  )
}
