/** What a form holds of a field that a call takes: a flag as a boolean, anything else as typed. */
type FieldValue<Input> = true extends Input ? boolean : string

/**
 * The values of a form, from what its call takes: every field, under its wire name. `Own` names the
 * fields that the form holds in a shape of its own, and those it adds. A field that the call gets does
 * not compile until the form has it.
 */
export type FormValues<Input, Own = unknown> = {
  [Field in Exclude<keyof Input, keyof Own>]-?: FieldValue<Input[Field]>
} & Own
