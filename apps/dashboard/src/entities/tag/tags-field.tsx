import type { TagsInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { FormCard } from '../../ui/form/form-card.tsx'
import { WordsInput } from '../../ui/form/words-input.tsx'
import { tagsOf, type Tagged } from './tag-queries.ts'

interface TagsFieldProps extends Omit<TagsInputProps, 'data'> {
  of: Tagged
}

/** Tags of a record; those that others have are offered. */
export function TagsField({ of, ...props }: TagsFieldProps) {
  const inUse = useQuery(tagsOf(of))
  return (
    <WordsInput
      data={inUse.data?.map(({ tag }) => tag) ?? []}
      splitChars={[',', '\n', '\t']}
      {...props}
    />
  )
}

/** The part of a form that has them. */
export function TagsCard(props: TagsFieldProps) {
  const id = useId()
  return (
    <FormCard
      title="Tags"
      description="Words of your own to find it by in the list. Enter adds one."
      labelFor={id}
    >
      <TagsField id={id} {...props} />
    </FormCard>
  )
}
