package rank

// constantParams are the parameters of constant.
type constantParams struct {
	Value float64 `yaml:"value" doc:"the number" check:"0..1"`
}

func registerConstant(r *Registry) {
	Register(r, "constant", "the same number for every link: a base for a mix, or the tree of a strategy whose order asks for no score",
		constantParams{Value: 0.5}, func(p constantParams) (Factor, error) {
			return Func(func(*Evidence) float64 { return p.Value }), nil
		})
}
