// The scripts that connect completion to shells. No script evaluates what is typed.

const bash = String.raw`# Completion of colophon for bash.
_colophon() {
  local line="${'$'}{COMP_LINE:0:COMP_POINT}" candidate current
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current="${'$'}{words[${'$'}{#words[@]} - 1]}"
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    if [[ $candidate == :files ]]; then
      compopt -o default
    else
      COMPREPLY+=("$candidate")
    fi
  done < <(colophon complete -- "${'$'}{words[@]:1}" 2>/dev/null)
  # Bash replaces only what follows the last colon or equals sign.
  local kept="${'$'}{current%"${'$'}{current##*[:=]}"}"
  [[ -n $kept ]] && COMPREPLY=("${'$'}{COMPREPLY[@]#"$kept"}")
  return 0
}
complete -F _colophon colophon
`;

const zsh = String.raw`#compdef colophon
# Completion of colophon for zsh.
_colophon() {
  local line value files
  local -a values
  for line in "${'$'}{(@f)$(colophon complete -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      value="${'$'}{line%%$'\t'*}"
      values+=("${'$'}{value//:/\\:}:${'$'}{line#*$'\t'}")
    fi
  done
  (( ${'$'}{#values} )) && _describe colophon values
  [[ -n $files ]] && _files
  return 0
}
if [[ "${'$'}{funcstack[1]}" == _colophon ]]; then
  _colophon "$@"
else
  compdef _colophon colophon
fi
`;

const fish = String.raw`# Completion of colophon for fish.
function __colophon_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (colophon complete -- $words[2..] "$current" 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c colophon -f -a '(__colophon_complete)'
`;

/** The script of each shell. */
export const shells = { bash, zsh, fish } as const;

export const shellNames = Object.keys(shells) as (keyof typeof shells)[];
