// Names that the glossary replaces.
export function lookAgain(): string {
  return 'again';
}
