export const syzText = (): string => '';
