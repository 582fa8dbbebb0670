import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Disclosure } from '../../ui/disclosure.tsx'
import { DocumentRefusal } from '../../ui/document-refusal.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { Page } from '../../ui/page.tsx'
import { ImportForm } from './import-form.tsx'
import { ImportResult } from './import-result.tsx'
import { usePreviewImport, type Imported, type Preview } from './import-queries.ts'

const maxBytes = 4 * 1024 * 1024

interface Shown {
  document: string
  preview: Preview
}

/** APIs and endpoints of an OpenAPI document or a Postman collection, chosen from a preview. */
export function ImportPage() {
  const preview = usePreviewImport()
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [shown, setShown] = useState<Shown>()
  const [result, setResult] = useState<Imported>()

  async function show(document: string) {
    setShown(undefined)
    setResult(undefined)
    const answer = await preview.mutateAsync({ document }).catch(() => undefined)
    if (answer) setShown({ document, preview: answer })
  }

  async function choose(chosen: File) {
    preview.reset()
    setFile(chosen)
    setShown(undefined)
    setResult(undefined)
    const isTooLarge = chosen.size > maxBytes
    setProblem(isTooLarge ? 'At most 4 MB can be imported at once.' : undefined)
    if (isTooLarge) return
    const text = await chosen.text().catch(() => undefined)
    if (text === undefined) setProblem('The file can’t be read. Choose it again.')
    else await show(text)
  }
  return (
    <Page
      title="Import APIs"
      subtitle="From OpenAPI 3, Swagger 2 or a Postman collection v2.1. Nothing is stored before you have seen it."
    >
      <Stack gap="md">
        <FormCard title="Document">
          <FileField
            hint="JSON or YAML, up to 4 MB. References to other documents are not fetched."
            accept=".json,.yaml,.yml"
            file={file}
            problem={problem}
            isDisabled={preview.isPending}
            onChoose={(chosen) => void choose(chosen)}
          />
          <PastedDocument isPending={preview.isPending} onShow={(text) => void show(text)} />
          {preview.isError && (
            <DocumentRefusal title="This document can’t be imported" error={preview.error} />
          )}
        </FormCard>
        {result && <ImportResult result={result} />}
        {shown && !result && (
          <ImportForm
            key={shown.document}
            document={shown.document}
            preview={shown.preview}
            onImported={setResult}
          />
        )}
      </Stack>
    </Page>
  )
}

function PastedDocument(props: { isPending: boolean; onShow: (text: string) => void }) {
  const [text, setText] = useState('')
  return (
    <Disclosure title="Paste it instead">
      <Textarea
        label="Document"
        rows={8}
        resize="vertical"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group mt="sm">
        <Button
          variant="default"
          disabled={text.trim() === ''}
          loading={props.isPending}
          onClick={() => props.onShow(text)}
        >
          Preview
        </Button>
      </Group>
    </Disclosure>
  )
}
