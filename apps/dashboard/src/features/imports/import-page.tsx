import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useRef, useState, type SubmitEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useFirstFieldFocus } from '../../lib/forms/use-save-form.ts'
import { useCan } from '../../lib/session/session.tsx'
import { DocumentRefusal } from '../../ui/text/document-refusal.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { isOneRequest } from './import-choice.ts'
import { ImportFirstCall } from './import-first-call.tsx'
import { ImportForm } from './import-form.tsx'
import { ImportResult } from './import-result.tsx'
import classes from './imports.module.css'
import { usePreviewImport, type Imported, type Preview } from './import-queries.ts'

const maxBytes = 4 * 1024 * 1024

interface Shown {
  document: string
  preview: Preview
}

interface Done {
  result: Imported
  /** Ids of the roles that got access. */
  roles: readonly number[]
}

/** The door for a new API: a URL, a curl command, an OpenAPI document or a Postman collection. */
export function ImportPage() {
  const can = useCan()
  const preview = usePreviewImport()
  const [text, setText] = useState('')
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [shown, setShown] = useState<Shown>()
  const [done, setDone] = useState<Done>()

  async function show(document: string) {
    setShown(undefined)
    const answer = await preview.mutateAsync({ document }).catch(() => undefined)
    if (answer) setShown({ document: answer.fetched ?? document, preview: answer })
  }

  async function choose(chosen: File) {
    preview.reset()
    setFile(chosen)
    const isTooLarge = chosen.size > maxBytes
    setProblem(isTooLarge ? 'At most 4 MB can be imported at once.' : undefined)
    if (isTooLarge) return
    const read = await chosen.text().catch(() => undefined)
    if (read === undefined) setProblem('The file can’t be read. Choose it again.')
    else await show(read)
  }

  function restart() {
    preview.reset()
    setFile(undefined)
    setShown(undefined)
    setDone(undefined)
  }
  return (
    <Page
      title="New API"
      subtitle="From a URL, a curl command, OpenAPI 3, Swagger 2 or a Postman collection v2.1. Nothing is stored before you have seen it."
      actions={
        can('api.create') && (
          <Button component={Link} to={paths.apiCreate} variant="default">
            Fill in the form
          </Button>
        )
      }
    >
      <Stack gap="md">
        {shown ? (
          <Source
            name={file?.name ?? nameOf(text, shown.preview)}
            label={done ? 'Add another' : 'Change'}
            onRestart={restart}
          />
        ) : (
          <FormCard title="What do you have?">
            <Pasted
              text={text}
              setText={setText}
              isPending={preview.isPending}
              onShow={() => {
                setFile(undefined)
                void show(text)
              }}
            />
            <FileField
              hint="JSON or YAML, up to 4 MB. References to other documents are not fetched."
              accept=".json,.yaml,.yml"
              file={file}
              problem={problem}
              isDisabled={preview.isPending}
              onChoose={(chosen) => void choose(chosen)}
            />
            {preview.isError && (
              <DocumentRefusal title="This can’t be imported" error={preview.error} />
            )}
          </FormCard>
        )}
        {shown && done && <Finished {...done} call={shown.preview.call} />}
        {shown && !done && (
          <ImportForm
            document={shown.document}
            preview={shown.preview}
            onImported={(result, roles) => setDone({ result, roles })}
          />
        )}
      </Stack>
    </Page>
  )
}

function Finished({ result, roles, call }: Done & Pick<Preview, 'call'>) {
  const can = useCan()
  const first = firstToCall(result)
  return (
    <>
      {first && can('request.send') && (
        <ImportFirstCall endpoint={first} roles={roles} call={call} />
      )}
      <ImportResult result={result} />
    </>
  )
}

/** One that changes nothing and needs no value in its path, where there is one. */
function firstToCall({ endpoints }: Imported): Imported['endpoints'][number] | undefined {
  const plain = endpoints.filter(({ key }) => !key.includes('{'))
  return plain.find(({ key }) => key.startsWith('GET ')) ?? plain[0]
}

/** Never the whole of a command: it may hold a secret. */
function nameOf(text: string, preview: Preview): string {
  const [api] = preview.apis
  const isOne = isOneRequest(preview) && api !== undefined
  return isOne
    ? `${api.operations[0]?.method_type.toUpperCase()} ${api.key}${api.operations[0]?.path}`
    : (text.trim().split('\n')[0] ?? '')
}

interface SourceProps {
  name: string
  label: string
  onRestart: () => void
}

/** What was pasted or chosen, in one line. */
const Source = ({ name, label, onRestart }: SourceProps) => (
  <Group gap="sm" wrap="nowrap" justify="space-between">
    <Text className={classes['source'] ?? ''} dir="ltr" title={name.slice(0, 500)}>
      {name.slice(0, 300)}
    </Text>
    <Button variant="default" size="compact-sm" flex="none" onClick={onRestart}>
      {label}
    </Button>
  </Group>
)

interface PastedProps {
  text: string
  setText: (text: string) => void
  isPending: boolean
  onShow: () => void
}

const examples = 'https://api.example.com/orders\ncurl https://api.example.com/orders -H …'

function Pasted({ text, setText, isPending, onShow }: PastedProps) {
  const form = useRef<HTMLFormElement>(null)
  useFirstFieldFocus(form)
  const isBlank = text.trim() === ''
  function handleSubmit(event: Pick<SubmitEvent, 'preventDefault'>) {
    event.preventDefault()
    if (!isBlank && !isPending) onShow()
  }
  return (
    <form ref={form} onSubmit={handleSubmit}>
      <Textarea
        label="URL, curl command or document"
        placeholder={examples}
        rows={4}
        resize="vertical"
        spellCheck={false}
        dir="ltr"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) handleSubmit(event)
        }}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group mt="sm">
        <Button type="submit" disabled={isBlank} loading={isPending}>
          Continue
        </Button>
      </Group>
    </form>
  )
}
