export const passwordMinLength = 12
export const passwordMaxLength = 128
