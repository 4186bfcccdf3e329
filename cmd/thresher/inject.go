package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

const injectExample = "thresher inject https://example.org/new.html --run runs/quickstart"

func injectCommand() *cobra.Command {
	var ran runFlag
	cmd := &cobra.Command{
		Use:   "inject URL…|FILE|-",
		Short: "Add start pages to a run",
		Long: `Inject adds addresses to a run, to be visited before everything else. A running crawl takes them within a second, any other
when it is started again; either way exactly once. Addresses outside the scope of the run are refused. A run that has used up
its budget takes them once that is raised. A page that was set aside because it "killed the crawl" is visited again, and a host
that was given up is asked again for the sake of a new page. On Redis any machine can inject (--run redis://…).

A file that exists is a list of addresses, one a line; - reads such a list from stdin. Empty lines and lines that begin with # are
left out.`,
		Example: "  " + injectExample + "\n  thresher inject more.txt --run runs/quickstart\n  thresher inject https://example.org/new.html --run 'redis://localhost:6379/0?crawl=solar'",
		Args:    someArguments("address", injectExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			addresses, err := listed(cmd.InOrStdin(), args)
			if err != nil {
				return err
			}
			return inject(cmd, &ran, addresses)
		},
	}
	ran.registerShared(cmd.Flags())
	return cmd
}

// listed are the addresses that arguments name: each is one, or a file of them, or - for stdin.
func listed(in io.Reader, args []string) (addresses []string, err error) {
	for _, arg := range args {
		info, unknown := os.Stat(arg)
		switch {
		case arg == "-":
			err = eachLine(in, "stdin", func(line string) { addresses = append(addresses, line) })
		case unknown == nil && !info.IsDir():
			var file *os.File
			if file, err = os.Open(arg); err == nil {
				err = eachLine(file, arg, func(line string) { addresses = append(addresses, line) })
				file.Close()
			}
		case !strings.Contains(arg, "://"):
			err = usageError{fmt.Sprintf("%s is neither an address (http://…) nor a file of them", arg), injectExample}
		default:
			addresses = append(addresses, arg)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(addresses) == 0 {
		return nil, usageError{"there is no address in " + strings.Join(args, ", "), injectExample}
	}
	return addresses, nil
}

// eachLine visits the lines of a list that say something.
func eachLine(in io.Reader, name string, visit func(line string)) error {
	raw, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	list, err := strict.Listed(name, raw)
	if err != nil {
		return err
	}
	for _, line := range list {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			visit(line)
		}
	}
	return nil
}

func inject(cmd *cobra.Command, ran *runFlag, args []string) error {
	for i, written := range args {
		address, _, _, secret := page.Login(written)
		if args[i] = address; secret {
			fmt.Fprintf(cmd.ErrOrStderr(), "the password of %s is not kept: a crawl takes passwords from the seeds of its crawl file alone\n", address)
		}
	}
	done, when, err := injectInto(cmd, ran, args)
	if err != nil {
		return err
	}
	for _, address := range args {
		if why, refused := done.Refused[address]; refused {
			fmt.Fprintf(cmd.ErrOrStderr(), "refused: %s: %s\n", shown(address), why.Sentence())
		}
	}
	if done.Taken == 0 {
		return usageError{"none of the addresses was taken", injectExample}
	}
	addresses, known := fmt.Sprintf("%d of %d addresses", done.Taken, len(args)), fmt.Sprintf("; %d of them it knows already, and visits once", done.Known)
	if len(args) == 1 {
		addresses, known = "the address", "; it is known already, and visited once"
	}
	if done.Known == 0 {
		known = ""
	}
	fmt.Fprintln(cmd.ErrOrStderr(), addresses, when+known)
	return nil
}

// injectInto gives the addresses to a run folder or to a crawl on Redis, and says when they will be visited.
func injectInto(cmd *cobra.Command, ran *runFlag, args []string) (done run.Injected, when string, err error) {
	if ran.isShared() {
		s, err := ran.shared(cmd)
		if err != nil {
			return done, "", err
		}
		defer s.Close()
		done, err = s.Inject(args)
		return done, "will be taken in crawl " + s.Name + " by the machine that comes first", err
	}
	dir, err := ran.dir()
	if err != nil {
		return done, "", err
	}
	done, err = run.Inject(dir, args)
	if done.Running {
		return done, "will be taken within a second", err
	}
	if done.UsedUp != "" {
		return done, "will be taken when the crawl is started again with a larger budget: " + done.UsedUp, err
	}
	return done, "will be taken when the crawl is started again", err
}
